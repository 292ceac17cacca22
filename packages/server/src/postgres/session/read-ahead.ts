import type { Cell } from '../values/encode-value.ts'

type Rows = readonly (readonly Cell[])[]

/** What statements may keep of rows that nobody has read yet, in bytes. */
export interface ReadAheadRoom {
  /** Of one statement. */
  readonly ofOne: number
  /** Of all together. */
  readonly ofAll: number
  /** What all together keep now. */
  taken: number
}

const mebibyte = 2 ** 20
const usualRoom: ReadAheadRoom = { ofOne: 32 * mebibyte, ofAll: 256 * mebibyte, taken: 0 }

/**
 * Reads chunks of rows ahead while whoever reads them pauses. A data source gives up a statement whose rows lie unread for half a minute,
 * since it keeps a connection busy; clients of PostgreSQL pause for as long as their user looks at a page. So the rest of an answer is
 * kept here where there is room for it, and the source is free. Of a larger one what there is room for is kept, and the source gives up the
 * rest in its time: then the rows that are kept are read, and an error ends them.
 *
 * @param afterMs how long a pause is.
 */
export function readAhead(chunks: AsyncIterable<Rows>, room = usualRoom, afterMs = 3_000): AsyncIterableIterator<Rows> {
  const iterator = chunks[Symbol.asyncIterator]()
  let kept: { readonly rows: Rows; readonly bytes: number }[] = []
  let keptBytes = 0
  /** How the source ended. */
  let end: { readonly failure: { readonly error: unknown } | null } | undefined
  let reading: Promise<void> | undefined
  let isPaused = false
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  function pause(): void {
    timer = setTimeout(() => {
      isPaused = true
      void read()
    }, afterMs).unref()
  }

  async function read(): Promise<void> {
    // What reads already goes on.
    if (reading) return
    while (isPaused && !end && keptBytes < room.ofOne && room.taken < room.ofAll) {
      reading = readOne()
      await reading
      reading = undefined
    }
  }

  /** An error is kept until it is its turn. */
  async function readOne(): Promise<void> {
    try {
      const next = await iterator.next()
      if (next.done) end = { failure: null }
      else if (!isClosed) keep(next.value)
    } catch (error) {
      end = { failure: { error } }
    }
  }

  function keep(rows: Rows): void {
    const bytes = sizeOf(rows)
    kept.push({ rows, bytes })
    keptBytes += bytes
    room.taken += bytes
  }

  function giveBack(bytes: number): void {
    keptBytes -= bytes
    room.taken -= bytes
  }

  pause()
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      clearTimeout(timer)
      isPaused = false
      if (kept.length === 0) await reading
      if (kept.length === 0 && !end) {
        const next = await iterator.next()
        if (!next.done && !isClosed) pause()
        return next
      }
      const first = kept.shift()
      if (first) {
        giveBack(first.bytes)
        if (!isClosed) pause()
        return { done: false, value: first.rows }
      }
      const failure = end?.failure
      end = { failure: null }
      if (failure) throw failure.error
      return { done: true, value: undefined }
    },
    async return() {
      clearTimeout(timer)
      isPaused = false
      isClosed = true
      kept = []
      giveBack(keptBytes)
      end = { failure: null }
      const close = async () => {
        await iterator.return?.()
      }
      // Whoever closes need not wait for what is being read.
      if (reading) void reading.then(close).catch(() => {})
      else await close()
      return { done: true, value: undefined }
    },
  }
}

/** About what rows take in memory. */
function sizeOf(rows: Rows): number {
  let size = 0
  for (const row of rows) {
    size += 32
    for (const cell of row) size += typeof cell === 'string' ? 24 + cell.length : 8
  }
  return size
}
