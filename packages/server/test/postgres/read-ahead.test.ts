import { expect, test } from 'vitest'
import { readAhead } from '../../src/postgres/session/read-ahead.ts'

/** Chunks of one row each. @param failsAt the chunk instead of which there is an error */
function source(count: number, failsAt = -1) {
  const state = { given: 0, closed: 0 }
  async function* chunks() {
    try {
      for (let n = 0; n < count; n += 1) {
        if (n === failsAt) throw new Error('the source gave up')
        state.given += 1
        yield [[String(n)]]
      }
    } finally {
      state.closed += 1
    }
  }
  return { state, chunks: chunks() }
}

const roomOf = (ofOne: number, ofAll = ofOne) => ({ ofOne, ofAll, taken: 0 })
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

async function rest(rows: AsyncIterable<readonly (readonly unknown[])[]>): Promise<unknown[]> {
  const all: unknown[] = []
  for await (const portion of rows) all.push(...portion.flat())
  return all
}
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => String(from + index))

test('whoever pauses finds the rest of the rows kept, and the source is free', async () => {
  const { state, chunks } = source(50)
  const room = roomOf(100_000)
  const rows = readAhead(chunks, room, 20)
  expect((await rows.next()).value).toEqual([['0']])
  expect(state.given).toBe(1)
  await pause(60)
  expect([state, room.taken > 0]).toEqual([{ given: 50, closed: 1 }, true])
  expect(await rest(rows)).toEqual(numbers(1, 50))
  expect(room.taken).toBe(0)
})

test('a cursor that was never read is read ahead too', async () => {
  const { state, chunks } = source(5)
  const rows = readAhead(chunks, roomOf(100_000), 20)
  await pause(60)
  expect(state.closed).toBe(1)
  expect(await rest(rows)).toEqual(numbers(0, 5))
})

test('no more is kept than there is room for, alone and together; the rest comes from the source', async () => {
  const room = roomOf(500, 800)
  const [one, two] = [source(1000), source(1000)]
  const [first, second] = [readAhead(one.chunks, room, 20), readAhead(two.chunks, room, 20)]
  await pause(80)
  expect([room.taken >= 800, room.taken < 900]).toEqual([true, true])
  expect([one.state.given < 12, two.state.given < 12]).toEqual([true, true])
  expect(await rest(first)).toEqual(numbers(0, 1000))
  expect(await rest(second)).toEqual(numbers(0, 1000))
  expect(room.taken).toBe(0)
})

test('an error comes after the rows before it', async () => {
  const rows = readAhead(source(50, 3).chunks, roomOf(100_000), 20)
  await pause(60)
  for (const n of [0, 1, 2]) expect((await rows.next()).value).toEqual([[String(n)]])
  await expect(rows.next()).rejects.toThrow('the source gave up')
  expect((await rows.next()).done).toBe(true)
})

test('closing gives back the room and ends the source', async () => {
  const { state, chunks } = source(1000)
  const room = roomOf(500)
  const rows = readAhead(chunks, room, 20)
  await pause(60)
  await rows.return?.()
  expect([state.closed, room.taken]).toEqual([1, 0])
  expect((await rows.next()).done).toBe(true)
  await pause(60)
  expect(room.taken).toBe(0)
})

test('who reads steadily has nothing read ahead', async () => {
  const { state, chunks } = source(20)
  const rows = readAhead(chunks, roomOf(100_000), 1000)
  for (let n = 0; n < 10; n += 1) await rows.next()
  expect(state.given).toBe(10)
  await rows.return?.()
})
