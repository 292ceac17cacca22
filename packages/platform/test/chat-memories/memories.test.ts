import { openStore, type Store } from '@hedron/store'
import { createTestDatabase } from '@hedron/store/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { autoAgent } from '../../src/chat/agent.ts'
import { createFindMemories, type FindMemories } from '../../src/chat/memories/memories.ts'
import { withMemories } from '../../src/chat/memories/with-memories.ts'
import { testTurn } from '../chat/language-model/test-turn.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let store: Store
let find: FindMemories
const one = async (sql: string, ...values: readonly unknown[]) => {
  const { rows } = await store.pool.query<{ id: number }>(sql, [...values])
  return Number(rows[0]?.id)
}

async function newAccount(name: string) {
  const accountId = await one('insert into accounts (name) values ($1) returning id', name)
  const deploymentId = await one(
    `insert into deployments (account_id, name, creation_step, deploy_mode, cloud_provider, region, target_platform, is_managed,
       release_channel_version) values ($1, 'd', 'ready', 'cli', 'self', 'self', 'self', false, '1') returning id`,
    accountId,
  )
  let users = 0
  const user = async (externalId: string | null = null, tenantId: number | null = null) => ({
    accountId,
    deploymentId,
    ownerId: await one(
      'insert into users (account_id, email, username, external_id, embed_tenant_id) values ($1, null, $2, $3, $4) returning id',
      accountId,
      `${name}-${++users}`,
      externalId,
      tenantId,
    ),
  })
  const tenant = (tenantName: string) =>
    one('insert into embed_tenants (account_id, name) values ($1, $2) returning id', accountId, tenantName)
  return { user, tenant }
}

beforeAll(async () => {
  database = await createTestDatabase()
  store = await openStore({ url: database.url })
  find = createFindMemories({
    store,
    effects: { now: () => new Date('2026-03-01T00:00:00Z'), randomBytes: () => Buffer.alloc(0) },
  })
})
afterAll(async () => {
  await store.close()
  await database.close()
})

const texts = async (memories: ReturnType<FindMemories>) => (await memories?.list())?.map(({ text }) => text)
const inSpace = { space: 'auto', memoryMode: 'space' } as const
const ofUser = { space: 'auto', memoryMode: 'user' } as const

test('an account’s users share what they had a space remember; in user mode each has his own', async () => {
  const { user } = await newAccount('one')
  const [ann, bob] = [await user(), await user()]
  expect(await find(ann, inSpace)?.keep('heads means buyers')).toBeNull()
  expect(await texts(find(bob, inSpace))).toEqual(['heads means buyers'])
  expect(await texts(find(bob, ofUser))).toEqual([])
  expect(await texts(find(ann, ofUser))).toEqual(['heads means buyers'])
  expect(await texts(find(bob, { ...inSpace, space: 'other' }))).toEqual([])
  expect(find(ann, { ...inSpace, memoryMode: 'disabled' })).toBeNull()
  // What somebody else kept can be read, not forgotten.
  expect(await find(bob, inSpace)?.forget('all')).toBe(0)
  expect(await texts(find(ann, inSpace))).toEqual(['heads means buyers'])
  expect(await find(ann, inSpace)?.forget('all')).toBe(1)
})

test('nothing is read across accounts, by external users of no tenant, or across embed tenants', async () => {
  const { user, tenant } = await newAccount('two')
  const [acme, umbrella] = [await tenant('acme'), await tenant('umbrella')]
  const [inside, alone, other] = [await user(), await user('alone'), await user('other')]
  const [a1, a2, u1] = [await user('a1', acme), await user('a2', acme), await user('u1', umbrella)]
  for (const [holder, text] of [
    [inside, 'of the account'],
    [alone, 'of one alone'],
    [a1, 'of acme'],
    [u1, 'of umbrella'],
  ] as const) {
    expect(await find(holder, inSpace)?.keep(text)).toBeNull()
  }
  expect(await texts(find(inside, inSpace))).toEqual(['of the account'])
  expect(await texts(find(alone, inSpace))).toEqual(['of one alone'])
  expect(await texts(find(other, inSpace))).toEqual([])
  expect(await texts(find(a2, inSpace))).toEqual(['of acme'])
  expect(await texts(find(u1, inSpace))).toEqual(['of umbrella'])
  const stranger = await (await newAccount('three')).user()
  expect(await texts(find({ ...inside, ownerId: stranger.ownerId }, inSpace))).toEqual([])
})

test('a user keeps 100 things, also when he asks at once; the same is kept once', async () => {
  const { user } = await newAccount('four')
  const ann = await user()
  const memories = find(ann, inSpace)
  expect(await memories?.keep('Same')).toBeNull()
  expect(await memories?.keep('same')).toBeNull()
  const kept = await Promise.all(Array.from({ length: 110 }, (_, index) => memories?.keep(`thing ${index}`)))
  expect(kept.filter(problem => problem === null)).toHaveLength(99)
  expect(await memories?.list()).toHaveLength(100)
}, 60_000)

test('in a conversation: kept, listed, forgotten; a question goes to the agent', async () => {
  const { user } = await newAccount('five')
  const memories = find(await user(), inSpace)
  const agent = withMemories({ answer: async () => ({ text: 'asked', memo: null, usage: zero }) })
  const say = async (input: string, settings = autoAgent, with_: typeof memories = memories) =>
    (await agent.answer(testTurn({ input, settings, memories: with_ }).turn)).text
  expect(await say('Remember that heads means buyers.')).toBe('I shall remember: “heads means buyers”.')
  expect(await say('remember: I look after Texas')).toContain('Texas')
  expect(await say('what do you remember?')).toBe('I remember:\n- I look after Texas\n- heads means buyers')
  expect(await say('forget that I look after Texas')).toBe('I have forgotten it.')
  expect(await say('forget that I look after Texas')).toBe('I remember nothing of the kind for you.')
  expect(await say(`remember that ${'x'.repeat(501)}`)).toContain('500 characters')
  expect(await say('How many orders?')).toBe('asked')
  expect(await say('remember that x', autoAgent, null)).toContain('keeps no memories')
  expect(await texts(memories)).toEqual(['heads means buyers'])
})

const zero = { models: [], llmCalls: 0, inputTokens: 0, outputTokens: 0, cacheWriteTokens: 0, cacheReadTokens: 0 }
