import { randomBytes } from 'node:crypto'
import { openStore, type Store } from '@hedron/store'
import { createTestDatabase } from '@hedron/store/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSessionPerson } from '../../src/chat/asker/session-person.ts'
import { createEmbedHousekeeping } from '../../src/embedding/housekeeping.ts'

const weekMs = 7 * 24 * 3_600_000
const begun = new Date('2026-06-01T00:00:00Z').getTime()
let now = begun
const effects = { now: () => new Date(now), randomBytes: (count: number) => randomBytes(count) }

let store: Store
let database: Awaited<ReturnType<typeof createTestDatabase>>
let accountId: number
beforeAll(async () => {
  database = await createTestDatabase()
  store = await openStore({ url: database.url })
  const { rows } = await store.pool.query<{ id: number }>("insert into accounts (name) values ('acme') returning id")
  accountId = Number(rows[0]?.id)
})
afterAll(async () => {
  await store?.close()
  await database?.close()
})

const provide = (externalId: string, more: object = {}) =>
  createSessionPerson({ store, effects, warn: () => {} }).provide(
    { externalId, ...more },
    { accountId, deploymentId: 1, actor: 'test', address: null, requestId: 'test' },
  )
const find = async (externalId: string) => {
  const persons = createSessionPerson({ store, effects, warn: () => {} })
  const by = { accountId, deploymentId: 1, actor: 'test', address: null, requestId: 'test' }
  return (await persons.find({ externalId }, by))?.userId
}
const rowsOf = async (externalId: string) =>
  (await store.pool.query('select id from users where external_id = $1', [externalId])).rows.length

/** One look of the housekeeping, as its clock says it is time. */
async function tidy(): Promise<void> {
  const faults: unknown[] = []
  const housekeeping = createEmbedHousekeeping({ store, effects, report: error => faults.push(error) })
  await housekeeping.pass()
  await housekeeping.close()
  expect(faults).toEqual([])
}

test('an ephemeral user is there until his time is over, a week where nothing else is said, and never later', async () => {
  const day = 24 * 3600
  const users = [
    ['of a day', { ephemeralTtlSeconds: day }, day * 1000],
    ['of a week', {}, weekMs],
    ['staying', { isEphemeral: false }, Number.POSITIVE_INFINITY],
  ] as const
  const ids = new Map<string, number>()
  for (const [name, more] of users) ids.set(name, (await provide(name, more)).userId)
  for (const [name, , life] of users) {
    const isOver = Number.isFinite(life)
    now = begun + (isOver ? life : weekMs * 500) - 1000
    await tidy()
    expect([name, await find(name), await rowsOf(name)]).toEqual([name, ids.get(name), 1])
    now += 1001
    expect([name, await find(name)]).toEqual([name, isOver ? undefined : ids.get(name)])
    await tidy()
    expect([name, await rowsOf(name)]).toEqual([name, isOver ? 0 : 1])
  }
  const { rows } = await store.pool.query("select details from audit_log where action = 'external-user.expire'")
  expect(rows).toHaveLength(2)
})

test('asking again does not prolong a life, and who comes after its end is somebody new', async () => {
  now = begun
  const { userId } = await provide('again')
  now = begun + weekMs - 1000
  expect((await provide('again')).userId).toBe(userId)
  now = begun + weekMs + 1
  expect((await provide('again')).userId).not.toBe(userId)
})
