import { accounts, openStore, type Store } from '@hedron/store'
import { createTestDatabase } from '@hedron/store/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../src/caller.ts'
import type { Effects } from '../../src/effects.ts'
import { createRefusals } from '../../src/people/refusals.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let store: Store
let caller: Caller
let now = new Date('2026-01-01T10:00:00Z')
const effects: Effects = { now: () => now, randomBytes: length => Buffer.alloc(length) }
beforeAll(async () => {
  database = await createTestDatabase()
  store = await openStore({ url: database.url })
  const account = await accounts.ensureAccount(store.kysely, 'acme')
  caller = {
    accountId: account.id,
    userId: null,
    name: 'a key',
    email: '',
    isAdmin: false,
    policies: [],
    deploymentScope: null,
    credential: 'key:1',
    embed: null,
  }
})
afterAll(async () => {
  await store?.close()
  await database?.close()
})

const context = { requestId: 'r-1', address: '10.0.0.1', signal: new AbortController().signal }
const rows = () =>
  store.kysely
    .selectFrom('auditLog')
    .select(['actor', 'action', 'target', 'address', 'details'])
    .orderBy('id')
    .execute()

test('a refusal has a row of the audit log; who tries again within a minute is counted in the next', async () => {
  const refusals = createRefusals({
    store,
    effects,
    report: error => {
      throw error
    },
  })
  const refusal = { operation: 'deleteDeployment', code: 'permission_missing' }
  for (let time = 0; time < 3; time++) refusals.note(caller, context, refusal)
  refusals.note({ ...caller, credential: 'key:2' }, context, refusal)
  refusals.note(caller, context, { ...refusal, operation: 'listUsers' })
  await refusals.close()
  const row = { action: 'refused', address: '10.0.0.1', details: { code: 'permission_missing' } }
  const first = [
    { ...row, actor: 'a key (key:1)', target: 'operation deleteDeployment' },
    { ...row, actor: 'a key (key:2)', target: 'operation deleteDeployment' },
    { ...row, actor: 'a key (key:1)', target: 'operation listUsers' },
  ]
  expect((await rows()).toSorted((a, b) => a.target.localeCompare(b.target) || a.actor.localeCompare(b.actor))).toEqual(
    first,
  )
  now = new Date(now.getTime() + 60_001)
  refusals.note(caller, context, refusal)
  await refusals.close()
  expect((await rows()).at(-1)).toMatchObject({ details: { code: 'permission_missing', timesSinceLast: 2 } })
})

test('one that cannot be written is reported, and refuses nothing', async () => {
  const reported: unknown[] = []
  const refusals = createRefusals({ store, effects, report: error => reported.push(error) })
  refusals.note({ ...caller, accountId: 999_999 }, context, { operation: 'x', code: 'admin_required' })
  await refusals.close()
  expect(reported).toHaveLength(1)
})
