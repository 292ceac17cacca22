import { beforeAll, describe, expect, test } from 'vitest'
import { enterDevMode, putFiles } from '../data-api/project.ts'
import { createKey, eventually, sharedApi, unique } from '../support/api.ts'
import { connect } from '../support/contract-client.ts'
import { agentOf, type Chat, chatIdOf, chatOf, finalOf, resultsOf } from './chat-client.ts'
import { chatModel, createShop, someone } from './shop.ts'

const api = sharedApi()
const client = connect(api)
let deploymentId: number
let chat: Chat
beforeAll(async () => {
  deploymentId = await createShop(api)
  chat = chatOf(api, { place: await agentOf(api, deploymentId) })
})

const input = 'total amount'
const users = async (externalId: string) => {
  const { body } = await api.get(`/api/v1/users?search=${encodeURIComponent(externalId)}`)
  return Array.isArray(body.items) ? body.items : []
}

describe('sessionSettings', () => {
  test.each([
    ['both ids', { externalId: 'a', internalId: 'a@b.example' }],
    ['neither', { email: 'a@b.example' }],
    ['an empty id', { externalId: '  ' }],
    ['roles of an external user', { externalId: 'a', roles: ['Admin'] }],
    ['groups beside internalId', { internalId: 'admin@localhost', groups: ['x'] }],
    ['attributes beside internalId', { internalId: 'admin@localhost', userAttributes: [{ name: 'x', value: 'y' }] }],
    ['a context beside internalId', { internalId: 'admin@localhost', securityContext: { a: 1 } }],
    ['ephemeral internal users', { internalId: 'admin@localhost', isEphemeral: true }],
    ['a life of a user who stays', { externalId: 'a', isEphemeral: false, ephemeralTtlSeconds: 5 }],
    ['claims of the platform', { externalId: 'a', securityContext: { cubeCloud: { groups: ['admin'] } } }],
    ['a life of nothing', { externalId: 'a', ephemeralTtlSeconds: 0 }],
    ['writing to the workspace', { externalId: 'a', allowChatWorkspaceAuthoring: true }],
  ])('%s: 400', async (_, sessionSettings) => {
    const { status, body } = await chat.refusal({ input, sessionSettings })
    expect([status, body.code]).toEqual([400, 'invalid_request'])
  })

  test('what is null is as what is left out', async () => {
    const nothing = {
      internalId: null,
      email: null,
      groups: null,
      userAttributes: null,
      isEphemeral: null,
      timezone: null,
    }
    const lines = await chat.lines({
      input,
      chatId: null,
      messageId: null,
      images: null,
      activeBranchName: null,
      isDefaultBranch: null,
      sessionSettings: { ...someone('red'), ...nothing },
    })
    expect(finalOf(lines)).toContain('30')
  })

  test('ids that differ in case and blanks are one user', async () => {
    const name = unique('Case')
    const chatId = chatIdOf(await chat.lines({ input, sessionSettings: someone('red', ` ${name.toUpperCase()} `) }))
    expect(finalOf(await chat.lines({ chatId, sessionSettings: someone('red', name.toLowerCase()) }))).toContain('30')
  })

  test('groups and attributes that are not there: the texts of generate-session', async () => {
    const groups = await chat.refusal({ input, sessionSettings: { ...someone('red'), groups: ['no-such-group'] } })
    expect([groups.status, groups.body.message]).toEqual([400, 'Groups with names no-such-group not found'])
    const userAttributes = [{ name: 'no_such_attribute', value: 'x' }]
    const attributes = await chat.refusal({ input, sessionSettings: { ...someone('red'), userAttributes } })
    expect([attributes.status, attributes.body.message]).toEqual([
      400,
      expect.stringContaining('User attributes not found'),
    ])
  })

  test('rows of one asker are not those of another, whatever the question says', async () => {
    const ask = 'total amount by city where tenant is blue'
    const red = await chat.lines({ input: ask, sessionSettings: someone('red') })
    expect(resultsOf(red)).not.toMatch(/Lima|Cairo|Quito/)
    const none = await chat.lines({ input: 'total amount by city', sessionSettings: { externalId: unique('none') } })
    expect(resultsOf(none)).not.toMatch(/Lima|Oslo/)
  })

  test('an internal user by e-mail: he has to be there, active, and allowed to read the deployment', async () => {
    const missing = await chat.refusal({ input, sessionSettings: { internalId: 'nobody@nowhere.example' } })
    expect([missing.status, missing.body.code]).toEqual([404, 'internal_user_not_found'])
    const name = unique('inside')
    const email = `${name}@example.com`
    const user = await client.createUser({ body: { email, username: name } })
    const sessionSettings = { internalId: email.toUpperCase() }
    const refused = await chat.refusal({ input, sessionSettings })
    expect([refused.status, refused.body.code]).toEqual([403, 'permission_missing'])
    const policies = [
      { resourceType: 'Deployment' as const, actions: ['DeploymentRead' as const], resources: [String(deploymentId)] },
    ]
    const role = await client.createRole({ body: { name, policies } })
    await client.assignRoleToUser({ params: { roleId: role.id, userId: user.id } })
    const lines = await chat.lines({ input, sessionSettings })
    expect(lines.at(-1)?.id).toBe('__usage__')
    const other = await chat.refusal({ input, sessionSettings: { ...sessionSettings, email: 'somebody@else.example' } })
    expect(other.status).toBe(400)
    await client.bulkUserAction({ body: { action: 'DEACTIVATE', userIds: [user.id] } })
    expect((await chat.refusal({ input, sessionSettings })).status).toBe(404)
  })

  test('an external id is no way to an internal user', async () => {
    const chatId = chatIdOf(await chat.lines({ input, sessionSettings: { internalId: 'admin@localhost' } }))
    const { status } = await chat.refusal({ chatId, sessionSettings: { externalId: 'admin@localhost' } })
    expect(status).toBe(404)
  })
})

describe('Ephemeral chat users', () => {
  test('are ephemeral unless isEphemeral is false, which also keeps one who was', async () => {
    const name = unique('staying')
    await chat.lines({ input, sessionSettings: { ...someone('red', name), ephemeralTtlSeconds: 600 } })
    await chat.lines({ input, sessionSettings: { ...someone('red', name), isEphemeral: false } })
    await chat.lines({ input, sessionSettings: someone('red', name) })
    expect(await users(name)).toHaveLength(1)
  })

  test('are gone when their time is over, with their threads; asking again does not prolong it', {
    timeout: 60_000,
  }, async () => {
    const name = unique('leaving')
    const sessionSettings = { ...someone('red', name), ephemeralTtlSeconds: 3 }
    const chatId = chatIdOf(await chat.lines({ input, sessionSettings }))
    await chat.lines({ input, chatId, sessionSettings: someone('red', name) })
    await new Promise(resolve => setTimeout(resolve, 3_500))
    const { status } = await chat.refusal({ chatId, sessionSettings: someone('red', name) })
    expect(status).toBe(404)
    await eventually(
      () => users(name),
      found => found.length === 0,
      40_000,
    )
    const history = await api.get(`/api/v1/chat-history?search=${chatId}`)
    expect(history.body.items).toEqual([])
  })

  test('a shorter time that is asked for later holds', async () => {
    const name = unique('shorter')
    await chat.lines({ input, sessionSettings: someone('red', name) })
    const chatId = chatIdOf(
      await chat.lines({ input, sessionSettings: { ...someone('red', name), ephemeralTtlSeconds: 1 } }),
    )
    await new Promise(resolve => setTimeout(resolve, 1_500))
    expect((await chat.refusal({ chatId, sessionSettings: someone('red', name) })).status).toBe(404)
  })
})

test('activeBranchName asks the model of that branch, with thinking; isDefaultBranch says it is production', async () => {
  const author = api.with(await createKey(api))
  const branch = await enterDevMode(author, deploymentId)
  const changed = (chatModel['model/orders.yml'] ?? '').replace('sql: amount', 'sql: "amount * 100"')
  await putFiles(author, deploymentId, branch, { 'model/orders.yml': changed })
  const sessionSettings = someone('red')
  const developed = await chat.lines({ input, activeBranchName: branch, sessionSettings })
  expect(resultsOf(developed)).toContain('3000')
  expect(developed.map(({ thinking = '' }) => thinking).join('')).not.toBe('')
  for (const more of [
    { activeBranchName: 'main' },
    { activeBranchName: 'main', isDefaultBranch: true },
    { isDefaultBranch: true },
  ]) {
    const lines = await chat.lines({ input, ...more, sessionSettings })
    expect(resultsOf(lines)).not.toContain('3000')
  }
  const contrary = await chat.lines({ input, activeBranchName: branch, isDefaultBranch: true, sessionSettings })
  expect(contrary.map(({ error }) => error)).toContain('BadRequestError: Bad branch')
})
