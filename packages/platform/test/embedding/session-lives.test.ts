import { randomBytes } from 'node:crypto'
import { openStore, type Store } from '@hedron/store'
import { createTestDatabase } from '@hedron/store/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAudit } from '../../src/audit.ts'
import type { CallContext, Caller } from '../../src/caller.ts'
import { createFindDeployment } from '../../src/deployments/find-deployment.ts'
import { createAuthenticateEmbed } from '../../src/embedding/authenticate-embed.ts'
import { createEmbedSecrets } from '../../src/embedding/embed-secrets.ts'
import { createSessionOperations } from '../../src/embedding/session-operations.ts'

const begun = new Date('2026-06-01T00:00:00Z').getTime()
const minute = 60_000
const hour = 60 * minute
const longest = 30 * hour
const secretKey = randomBytes(32)
let now = begun
const effects = { now: () => new Date(now), randomBytes: (count: number) => randomBytes(count) }
const context: CallContext = { requestId: 'test', address: null, signal: new AbortController().signal }

let store: Store
let database: Awaited<ReturnType<typeof createTestDatabase>>
let caller: Caller
let deploymentId = 0
beforeAll(async () => {
  database = await createTestDatabase()
  store = await openStore({ url: database.url })
  const one = async (sql: string, values: readonly unknown[]) =>
    Number((await store.pool.query<{ id: number }>(sql, [...values])).rows[0]?.id)
  const accountId = await one("insert into accounts (name) values ('acme') returning id", [])
  deploymentId = await one(
    `insert into deployments (account_id, name, creation_step, deploy_mode, cloud_provider, region, target_platform, is_managed,
       release_channel_version) values ($1, 'd', 'ready', 'cli', 'self', 'self', 'self', false, '1') returning id`,
    [accountId],
  )
  const branchId = await one(
    "insert into branches (account_id, deployment_id, name, kind, head) values ($1, $2, 'main', 'shared', $3) returning id",
    [accountId, deploymentId, Buffer.alloc(20)],
  )
  await store.pool.query('update deployments set deploy_branch_id = $1 where id = $2', [branchId, deploymentId])
  caller = {
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
})
afterAll(async () => {
  await store?.close()
  await database?.close()
})

function open() {
  const secrets = createEmbedSecrets({ effects, secretKey })
  const operations = createSessionOperations({
    store,
    effects,
    audit: createAudit(effects),
    findDeployment: createFindDeployment(store.kysely),
    secrets,
    warn: () => {},
    longestSessionMs: longest,
  })
  return { operations, authenticate: createAuthenticateEmbed({ store, effects, secrets }) }
}
const input = { params: {}, query: {}, files: undefined }

test('a session id is good for five minutes, to the second', async () => {
  const { operations } = open()
  const exchangedAfter = async (milliseconds: number) => {
    now = begun
    const body = { deploymentId, externalId: 'ann' }
    const { sessionId } = await operations.generateSession(caller, { ...input, body }, context)
    now = begun + milliseconds
    return operations.postTokenBySessionId(null, { ...input, body: { sessionId } }, context)
  }
  expect(await exchangedAfter(5 * minute - 1)).toEqual({ token: expect.any(String) })
  await expect(exchangedAfter(5 * minute)).rejects.toMatchObject({ code: 'embed_session_spent' })
})

test('an embed token is good for a day, its renewal for another, and none beyond the longest life of its session', async () => {
  const { operations, authenticate } = open()
  now = begun
  const body = { deploymentId, externalId: 'bob' }
  const { sessionId } = await operations.generateSession(caller, { ...input, body }, context)
  const { token } = await operations.postTokenBySessionId(null, { ...input, body: { sessionId } }, context)
  now = begun + 24 * hour - 1000
  const bearer = await authenticate(token)
  now = begun + 24 * hour
  await expect(authenticate(token)).rejects.toMatchObject({ code: 'not_authenticated' })
  now = begun + 24 * hour - 1000
  const renewed = await operations.renewSession(bearer, { ...input, body: undefined }, context)
  now = begun + longest - 1000
  expect((await authenticate(renewed.token)).embed?.endsAt).toEqual(new Date(begun + longest))
  now = begun + longest
  await expect(authenticate(renewed.token)).rejects.toMatchObject({ code: 'not_authenticated' })
})
