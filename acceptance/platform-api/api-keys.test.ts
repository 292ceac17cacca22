import { describe, expect, test } from 'vitest'
import { createDeployment, createKey, sharedApi, unique } from '../support/api.ts'
import { connect, expectRefusal } from '../support/contract-client.ts'

const api = sharedApi()
const admin = connect(api)
const keyWith = async (body: Record<string, unknown>) => connect(api.with(await createKey(api, body)))

/** All keys of the account; others make some at the same time. */
async function everyKey() {
  const found: Awaited<ReturnType<typeof admin.listApiKeys>>['items'][number][] = []
  for (let after: string | undefined; ; ) {
    const { items, pageInfo } = await admin.listApiKeys({ query: after === undefined ? {} : { after } })
    found.push(...items)
    if (!pageInfo.hasNextPage || !pageInfo.endCursor) return found
    after = pageInfo.endCursor
  }
}

describe('the secret of a key', () => {
  test('is in the answer that creates it and nowhere else', async () => {
    const name = unique('secret')
    const { token, ...created } = await admin.createApiKey({ body: { name } })
    expect(token).toMatch(/^sk-[\w-]{32,}$/)
    expect(token.startsWith(created.prefix)).toBe(true)
    expect(created.prefix.length).toBeLessThanOrEqual(10)
    expect(created).toMatchObject({ name, deploymentIds: null, policies: null, createdBy: 'admin@localhost' })

    const shown = await admin.getApiKey({ params: { id: created.id } })
    expect(shown).toEqual(created)
    const items = await everyKey()
    expect(items.find(({ id }) => id === created.id)).toEqual(created)
    expect(JSON.stringify([shown, items])).not.toContain(token.slice(12))
  })

  test('differs for each key', async () => {
    const tokens = await Promise.all(Array.from({ length: 5 }, () => createKey(api, { name: 'same name' })))
    expect(new Set(tokens).size).toBe(5)
  })
})

describe('a key', () => {
  test('shows when it was used last', async () => {
    const { id, token } = await admin.createApiKey({ body: { name: unique('used') } })
    expect((await admin.getApiKey({ params: { id } })).lastUsedAt).toBeNull()
    const before = Date.now()
    await connect(api.with(token)).getMe({})
    const { lastUsedAt } = await admin.getApiKey({ params: { id } })
    expect(Date.parse(lastUsedAt ?? '')).toBeGreaterThanOrEqual(before - 1000)
  })

  test('that is revoked is gone from the list, cannot be read, and cannot be revoked again', async () => {
    const { id } = await admin.createApiKey({ body: { name: unique('gone') } })
    expect(await admin.revokeApiKey({ params: { id } })).toEqual({ success: true })
    await expectRefusal(admin.getApiKey({ params: { id } }), 'api_key_not_found', new RegExp(id))
    await expectRefusal(admin.revokeApiKey({ params: { id } }), 'api_key_not_found')
    expect((await everyKey()).map(key => key.id)).not.toContain(id)
  })

  test('that is revoked twice at once is revoked once', async () => {
    const { id } = await admin.createApiKey({ body: { name: unique('race') } })
    const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => admin.revokeApiKey({ params: { id } })))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('with an expiry shows it', async () => {
    const { expiresAt } = await admin.createApiKey({
      body: { name: unique('expiring'), expiresAt: '2090-01-01T02:00:00+02:00' },
    })
    expect(expiresAt).toBe('2090-01-01T00:00:00.000Z')
  })

  test.each([
    [{ name: '' }, /^name/],
    [{ name: '   ' }, /^name/],
    [{ name: 'x'.repeat(256) }, /^name/],
    [{ name: 'a\0b' }, /^name/],
    [{ name: 'x', expiresAt: 'tomorrow' }, /^expiresAt/],
    [{ name: 'x', expiresAt: '2026-02-30T00:00:00Z' }, /^expiresAt/],
    [{ name: 'x', deploymentIds: [] }, /^deploymentIds/],
    [{ name: 'x', deploymentIds: [0] }, /^deploymentIds\[0\]/],
    [{ name: 'x', policies: [] }, /^policies/],
    [{ name: 'x', policies: [{ resourceType: 'Deployment', actions: [], resources: ['All'] }] }, /actions/],
    [{ name: 'x', policies: [{ resourceType: 'Deployment', actions: ['All'], resources: [] }] }, /resources/],
    [{ name: 'x', policies: [{ resourceType: 'Deployment', actions: ['Nothing'], resources: ['All'] }] }, /SchemaRead/],
    [{ name: 'x', policies: [{ resourceType: 'Planet', actions: ['All'], resources: ['All'] }] }, /Deployment/],
    [{ name: 'x', policies: [{ resourceType: 'Global', actions: ['All'], resources: ['\0'] }] }, /resources/],
  ])('cannot be made of %j', async (body, message) => {
    const { status, body: answer } = await api.post('/api/v1/api-keys', body)
    expect([status, answer.code]).toEqual([400, 'invalid_request'])
    expect(answer.message).toMatch(message)
  })

  test('cannot be scoped to a deployment that is not there', async () => {
    const call = admin.createApiKey({ body: { name: 'x', deploymentIds: [9007199254740991] } })
    await expectRefusal(call, 'deployment_not_found', /9007199254740991/)
  })
})

describe('a key scoped to deployments', () => {
  test('does everything there, sees no other, and is refused on others with 403', async () => {
    const [mine, other] = await Promise.all([createDeployment(api), createDeployment(api)])
    const scoped = await keyWith({ deploymentIds: [mine] })
    expect((await scoped.getDeployments({})).items.map(({ id }) => id)).toEqual([mine])
    expect((await scoped.getDeployment({ params: { deploymentId: mine } })).id).toBe(mine)
    await scoped.updateDeployment({ params: { deploymentId: mine }, body: { launchpadTabs: ['a'] } })
    const call = scoped.getDeployment({ params: { deploymentId: other } })
    await expectRefusal(call, 'deployment_out_of_scope', new RegExp(String(other)))
    await expectRefusal(scoped.getDeployment({ params: { deploymentId: 987654321 } }), 'deployment_not_found')
  })

  test('is no administrator: it makes, lists and revokes no keys, and creates no deployments', async () => {
    const mine = await createDeployment(api)
    const scoped = await keyWith({ deploymentIds: [mine] })
    await expectRefusal(scoped.createApiKey({ body: { name: 'more' } }), 'admin_required')
    await expectRefusal(scoped.listApiKeys({}), 'admin_required')
    await expectRefusal(scoped.revokeApiKey({ params: { id: 'x' } }), 'admin_required')
    await expectRefusal(scoped.createDeployment({ body: { name: unique('no') } }), 'permission_missing')
  })

  test('reaches no further by a policy over everything', async () => {
    const [mine, other] = await Promise.all([createDeployment(api), createDeployment(api)])
    const policies = [{ resourceType: 'Global', actions: ['All'], resources: ['All'] }]
    const scoped = await keyWith({ deploymentIds: [mine], policies })
    expect((await scoped.getDeployments({})).items.map(({ id }) => id)).toEqual([mine])
    await expectRefusal(scoped.deleteDeployment({ params: { deploymentId: other } }), 'deployment_out_of_scope')
    await expectRefusal(scoped.createDeployment({ body: { name: unique('no') } }), 'permission_missing')
    await expectRefusal(scoped.createApiKey({ body: { name: 'more' } }), 'admin_required')
  })

  test('may name the same deployment twice', async () => {
    const mine = await createDeployment(api)
    const { deploymentIds } = await admin.createApiKey({ body: { name: 'x', deploymentIds: [mine, mine] } })
    expect(deploymentIds).toEqual([mine])
  })
})

describe('a key limited by policies', () => {
  test('may do what they grant, where they grant it', async () => {
    const [one, two] = await Promise.all([createDeployment(api), createDeployment(api)])
    const policies = [
      { resourceType: 'Deployment', actions: ['DeploymentRead', 'DeploymentUpdate'], resources: [String(one)] },
      { resourceType: 'Deployment', actions: ['DeploymentRead'], resources: [String(two)] },
    ]
    const limited = await keyWith({ policies })
    expect(new Set((await limited.getDeployments({})).items.map(({ id }) => id))).toEqual(new Set([one, two]))
    await limited.updateDeployment({ params: { deploymentId: one }, body: {} })
    const call = limited.updateDeployment({ params: { deploymentId: two }, body: {} })
    await expectRefusal(call, 'permission_missing', /DeploymentUpdate/)
  })

  test.each([
    ['All', true],
    ['SchemaRead', false],
  ])('with %s on all deployments lists them: %s', async (action, lists) => {
    const id = await createDeployment(api)
    const limited = await keyWith({ policies: [{ resourceType: 'Deployment', actions: [action], resources: ['All'] }] })
    const { items, totalCount } = await limited.getDeployments({})
    expect(items.some(item => item.id === id)).toBe(lists)
    expect((totalCount ?? 0) > 0).toBe(lists)
  })

  test.each(['Report', 'Agent', 'Folder', 'Workbook'])('to %s has no deployment by that', async resourceType => {
    const limited = await keyWith({ policies: [{ resourceType, actions: ['All'], resources: ['All'] }] })
    const deploymentId = await createDeployment(api)
    await expectRefusal(limited.getDeployment({ params: { deploymentId } }), 'permission_missing', /DeploymentRead/)
    expect((await limited.getDeployments({})).items).toEqual([])
  })
})
