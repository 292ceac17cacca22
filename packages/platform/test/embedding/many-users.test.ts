import { randomBytes } from 'node:crypto'
import { openStore, type Store } from '@hedron/store'
import { createTestDatabase } from '@hedron/store/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAudit } from '../../src/audit.ts'
import type { CallContext, Caller } from '../../src/caller.ts'
import { createFindDeployment } from '../../src/deployments/find-deployment.ts'
import { createGenerateSession } from '../../src/embedding/generate-session.ts'
import { removeTenant } from '../../src/embedding/tenants/remove-tenant.ts'

const effects = { now: () => new Date(), randomBytes: (count: number) => randomBytes(count) }
const audit = createAudit(effects)
const contextOf = (signal: AbortSignal): CallContext => ({ requestId: 'test', address: null, signal })
const context = contextOf(new AbortController().signal)
const most = 10_000

let store: Store
let database: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  database = await createTestDatabase()
  store = await openStore({ url: database.url })
})
afterAll(async () => {
  await store?.close()
  await database?.close()
})

async function one(sql: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await store.pool.query<{ id: string }>(sql, [...values])
  return Number(rows[0]?.id)
}

/** An account of its own with one deployment. */
async function createAccount() {
  const accountId = await one('insert into accounts (name) values ($1) returning id', [randomBytes(6).toString('hex')])
  const deploymentId = await one(
    `insert into deployments (account_id, name, creation_step, deploy_mode, cloud_provider, region, target_platform, is_managed,
       release_channel_version) values ($1, 'd', 'ready', 'cli', 'self', 'self', 'self', false, '1') returning id`,
    [accountId],
  )
  const branchId = await one(
    "insert into branches (account_id, deployment_id, name, kind, head) values ($1, $2, 'main', 'shared', $3) returning id",
    [accountId, deploymentId, Buffer.alloc(20)],
  )
  await store.pool.query('update deployments set deploy_branch_id = $1 where id = $2', [branchId, deploymentId])
  const caller: Caller = {
    accountId,
    userId: null,
    name: 'key',
    email: '',
    isAdmin: true,
    policies: [],
    deploymentScope: null,
    credential: 'key:test',
    embed: null,
  }
  const warn = () => {}
  const generate = createGenerateSession({
    store,
    effects,
    audit,
    findDeployment: createFindDeployment(store.kysely),
    warn,
  })
  return {
    accountId,
    deploymentId,
    caller,
    mint: (body: { externalId: string; embedTenantName?: string }) =>
      generate(caller, { params: {}, query: {}, files: undefined, body: { deploymentId, ...body } }, context),
    count: (table: 'users' | 'embed_sessions' | 'embed_tenants' | 'workbooks') =>
      one(`select count(*) as id from ${table} where account_id = $1`, [accountId]),
    audited: (action: string) =>
      one('select count(*) as id from audit_log where account_id = $1 and action = $2', [accountId, action]),
  }
}

const insertUsers = (accountId: number, embedTenantId: number | null, count: number) =>
  store.pool.query(
    `insert into users (account_id, external_id, username, embed_tenant_id)
     select $1, 'user ' || n, 'user ' || n, $2 from generate_series(1, $3::int) n`,
    [accountId, embedTenantId, count],
  )

test('an account has 10,000 external users: of twenty that race for the last place one has it', async () => {
  const account = await createAccount()
  await insertUsers(account.accountId, null, most - 1)
  const racers = Array.from({ length: 20 }, (_, index) =>
    account.mint({
      externalId: `racer ${index}`,
      ...(index % 2 === 0 ? { embedTenantName: `tenant-${index % 4}` } : {}),
    }),
  )
  const results = await Promise.allSettled(racers)
  const refusals = results.flatMap(result => (result.status === 'rejected' ? [result.reason] : []))
  expect(refusals).toHaveLength(19)
  for (const refusal of refusals) {
    expect(refusal).toMatchObject({ code: 'external_user_limit', message: expect.stringMatching(/10,?000/) })
  }
  expect(await account.count('users')).toBe(most)
  expect(await account.count('embed_sessions')).toBe(1)
  // Who is known is not held up by it.
  await account.mint({ externalId: 'user 1' })
})

test('twenty that race to make the same last user find one', async () => {
  const account = await createAccount()
  await insertUsers(account.accountId, null, most - 1)
  await Promise.all(Array.from({ length: 20 }, () => account.mint({ externalId: 'the last' })))
  expect(await account.count('users')).toBe(most)
  expect(await account.count('embed_sessions')).toBe(20)
  await expect(account.mint({ externalId: 'one more' })).rejects.toMatchObject({ code: 'external_user_limit' })
})

/** The store, with something that is done before each of its transactions, and something that is waited for before each is committed. */
const storeWith = (before: () => void, within: () => Promise<unknown>): Store => ({
  ...store,
  transaction: work => {
    before()
    return store.transaction(async transaction => {
      const result = await work(transaction)
      await within()
      return result
    })
  },
})

async function createLargeTenant(name: string, people: number) {
  const account = await createAccount()
  const { accountId, deploymentId } = account
  const tenantId = await one('insert into embed_tenants (account_id, name) values ($1, $2) returning id', [
    accountId,
    name,
  ])
  await insertUsers(accountId, tenantId, people)
  const users = 'select id from users where account_id = $1 and embed_tenant_id = $3'
  const values = [accountId, deploymentId, tenantId]
  await store.pool.query(
    `insert into embed_sessions (account_id, deployment_id, user_id, embed_tenant_id, digest, is_internal, creator_mode, expires_at)
     select $1, $2, id, $3, sha256(id::text::bytea), false, true, now() + interval '1 day' from (${users}) u`,
    values,
  )
  await store.pool.query(
    `insert into workbooks (account_id, deployment_id, embed_tenant_id, user_id, name, slug)
     select $1, $2, $3, id, 'workbook', 'workbook-' || id from (${users} limit 1200) u`,
    values,
  )
  // As the server does by itself soon after: without it, it plans for tables that are empty.
  await store.pool.query('analyze')
  await account.mint({ externalId: 'stays', embedTenantName: 'stays' })
  return account
}

test('an embed tenant of 10,000 users that is cut off while it is removed is removed by the next call', async () => {
  const name = 'large-tenant'
  const account = await createLargeTenant(name, most - 1)
  const cut = new AbortController()
  let steps = 0
  const cutting = storeWith(
    () => {
      if (++steps === 70) cut.abort(new Error('killed'))
    },
    async () => {},
  )
  const removal = removeTenant({ store: cutting, audit }, account.caller, name, contextOf(cut.signal))
  await expect(removal).rejects.toThrow('killed')
  expect([await account.count('embed_tenants'), await account.count('embed_sessions')]).toEqual([2, 1])
  const left = await account.count('users')
  expect(left).toBeGreaterThan(1)
  expect(left).toBeLessThan(most)
  expect(await account.audited('embed-tenant.delete')).toBe(0)

  const again = () => removeTenant({ store, audit }, account.caller, name, context)
  expect((await Promise.all([again(), again()])).filter(Boolean)).toHaveLength(1)
  expect(await account.count('embed_tenants')).toBe(1)
  expect([await account.count('users'), await account.count('embed_sessions')]).toEqual([1, 1])
  expect(await account.count('workbooks')).toBe(0)
  expect(await again()).toBe(false)
  expect(await account.audited('embed-tenant.delete')).toBe(1)
})

test('while an embed tenant is removed, others of the account get sessions at every moment', async () => {
  const name = 'large-tenant'
  const account = await createLargeTenant(name, 2_000)
  let made = 0
  // Would any of its locks stand in the way, this would wait for itself.
  const minting = storeWith(
    () => {},
    async () => {
      await account.mint({ externalId: 'stays', embedTenantName: 'stays' })
      await account.mint({ externalId: `new ${++made}`, embedTenantName: 'stays' })
    },
  )
  expect(await removeTenant({ store: minting, audit }, account.caller, name, context)).toBe(true)
  expect(made).toBeGreaterThan(20)
  expect(await account.count('users')).toBe(made + 1)
})
