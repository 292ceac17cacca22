import { randomBytes } from 'node:crypto'
import { openStore, type Store } from '@hedron/store'
import { createTestDatabase } from '@hedron/store/testing'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type CancelEverywhere, createCancelEverywhere } from '../../src/queries/cancel-everywhere.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
const stores: Store[] = []
beforeAll(async () => {
  database = await createTestDatabase()
  for (let node = 0; node < 2; node++) stores.push(await openStore({ url: database.url }))
})
afterAll(async () => {
  for (const store of stores) await store.close()
  await database.close()
})

interface Node {
  readonly cancels: CancelEverywhere
  /** What runs there: the requests, each with the pool and owner that may stop it. */
  readonly running: Set<string>
}

const faults: unknown[] = []

function startNode(store: Store | undefined): Node {
  if (!store) throw new Error('there is no such store')
  const running = new Set<string>()
  const cancels = createCancelEverywhere({
    store,
    effects: { randomBytes: count => randomBytes(count) },
    queryService: {
      cancel(pool, requestId, owner) {
        const found = Number(running.delete(`${pool} ${requestId} ${owner}`))
        return { found, stopped: found }
      },
    },
    report: error => faults.push(error),
  })
  cancels.start()
  onTestFinished(() => cancels.close())
  return { cancels, running }
}

test('a query is stopped whichever node is asked, and no other', async () => {
  const [here, there] = [startNode(stores[0]), startNode(stores[1])]
  // Until both listen.
  await expect
    .poll(async () => {
      there.running.add('pool probe ann')
      return here.cancels.cancel('pool', 'probe', 'ann')
    })
    .toBe(1)
  for (const { running } of [here, there]) {
    for (const key of ['pool 1 ann', 'pool 1 bob', 'other 1 ann', 'pool 2 ann']) running.add(key)
  }
  expect(await here.cancels.cancel('pool', '1', 'ann')).toBe(2)
  for (const { running } of [here, there]) {
    expect([...running].sort()).toEqual(['other 1 ann', 'pool 1 bob', 'pool 2 ann'])
  }
  expect(await there.cancels.cancel('pool', '1', 'ann')).toBe(0)
  expect(await there.cancels.cancel('pool', 'x'.repeat(9_000), 'ann')).toBe(0)
  expect(faults).toEqual([])
})

test('a node that does not answer is not waited for', async () => {
  const [here, there] = [startNode(stores[0]), startNode(stores[1])]
  await expect
    .poll(async () => {
      there.running.add('pool probe ann')
      return here.cancels.cancel('pool', 'probe', 'ann')
    })
    .toBe(1)
  const silent = await stores[1]?.pool.connect()
  await silent?.query('listen hedron_query_cancels')
  here.running.add('pool 1 ann')
  const before = Date.now()
  expect(await here.cancels.cancel('pool', '1', 'ann')).toBe(1)
  expect(Date.now() - before).toBeLessThan(10_000)
  silent?.release(true)
})

test('one that hears nothing stops its own', async () => {
  const running = new Set(['pool 1 ann'])
  const cancels = createCancelEverywhere({
    store: { pool: stores[0]?.pool ?? Object.assign(Object.create(null)) },
    effects: { randomBytes: count => randomBytes(count) },
    queryService: { cancel: () => ({ found: running.size, stopped: running.size }) },
    report: error => faults.push(error),
  })
  expect(await cancels.cancel('pool', '1', 'ann')).toBe(1)
})
