import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTwoAccounts, type TwoAccounts } from '../support/accounts.ts'
import { createDeployment, type Json } from '../support/api.ts'
import { connect, expectRefusal } from '../support/contract-client.ts'
import { tenantName } from '../support/embed-tenants.ts'

let accounts: TwoAccounts
let deploymentId: number

beforeAll(async () => {
  accounts = await startTwoAccounts()
  deploymentId = await createDeployment(accounts.ada)
})
afterAll(() => accounts?.dispose())

const asMembers = (...externalIds: string[]) => ({ members: externalIds.map(externalId => ({ externalId })) })

/** An embed token of a creator-mode session. */
async function tokenOf(embedTenantName: string, externalId: string, more: Record<string, unknown> = {}) {
  const body = { deploymentId, externalId, creatorMode: true, embedTenantName, ...more }
  const client = connect(accounts.ada)
  const { sessionId } = await client.generateSession({ body })
  const { token } = await client.postTokenBySessionId({ body: { sessionId } })
  return token
}

async function whoAmI(token: string): Promise<{ status: number; body: Json }> {
  const authorization = `Embed-Token ${token}`
  return accounts.ada.request('GET', '/api/v1/users/me', undefined, { authorization })
}

describe("another account's embed tenant of the same name", () => {
  test('is another one: its groups, users and attributes are neither seen nor changed', async () => {
    const [hers, his] = [connect(accounts.ada), connect(accounts.eve)]
    const params = { embedTenantName: tenantName() }
    const { id } = await hers.createGroup({ params, body: { name: 'team' } })
    await hers.addGroupMembers({ params: { ...params, id }, body: asMembers('ann') })
    await tokenOf(params.embedTenantName, 'ann', { userAttributeDefinitions: [{ name: 'city', type: 'string' }] })
    await expectRefusal(his.getGroups({ params }), 'embed_tenant_not_found')
    expect((await his.listEmbedTenants({})).items).toEqual([])
    await his.deleteEmbedTenant({ params })

    await his.createGroup({ params, body: { name: 'team' } })
    const there = { ...params, id }
    await expectRefusal(his.getGroup({ params: there }), 'embed_group_not_found')
    await expectRefusal(his.deleteGroup({ params: there }), 'embed_group_not_found')
    await expectRefusal(his.addGroupMembers({ params: there, body: asMembers('ann') }), 'embed_group_not_found')
    expect((await his.listEmbedUsers({ params })).items).toEqual([])
    const [city] = (await hers.listEmbedUserAttributes({ params })).items
    const attribute = { ...params, id: city?.id ?? 0 }
    await expectRefusal(his.deleteEmbedUserAttribute({ params: attribute }), 'embed_attribute_not_found')
    const [ann] = (await hers.listEmbedUsers({ params })).items
    const [own] = (await his.getGroups({ params })).items
    const byId = his.addGroupMembers({
      params: { ...params, id: own?.id ?? 0 },
      body: { members: [{ embedUserId: ann?.id ?? 0 }] },
    })
    await expectRefusal(byId, 'embed_user_not_found')
    const { pageInfo } = await hers.getGroups({ params })
    const { items } = await his.getGroups({ params, query: { after: pageInfo.endCursor ?? '' } })
    expect(items.map(group => group.id)).not.toContain(id)

    await his.deleteEmbedTenant({ params })
    expect(await hers.getGroup({ params: there })).toMatchObject({ name: 'team', userCount: 1 })
    expect((await hers.listEmbedUserAttributes({ params })).items).toEqual([city])
  })
})

describe('deleting an embed tenant', () => {
  test('ends the tokens of its users with 401 and takes its users, groups and attributes; others stay', async () => {
    const client = connect(accounts.ada)
    const [gone, kept] = [tenantName(), tenantName()]
    const more = {
      groupDefinitions: [{ name: 'team' }],
      groups: ['team'],
      userAttributeDefinitions: [{ name: 'city', type: 'string' }],
      userAttributes: [{ name: 'city', value: 'Oslo' }],
    }
    const [lost, alive] = [await tokenOf(gone, 'zoe', more), await tokenOf(kept, 'zoe', more)]
    const { sessionId } = await client.generateSession({ body: { deploymentId, externalId: 'zoe' } })
    const { token: own } = await client.postTokenBySessionId({ body: { sessionId } })
    const pending = await client.generateSession({
      body: { deploymentId, externalId: 'zoe', creatorMode: true, embedTenantName: gone },
    })
    for (const token of [lost, alive, own]) expect((await whoAmI(token)).status).toBe(200)

    await client.deleteEmbedTenant({ params: { embedTenantName: gone } })
    expect((await whoAmI(lost)).status).toBe(401)
    expect((await whoAmI(alive)).status).toBe(200)
    expect((await whoAmI(own)).status).toBe(200)
    const late = await accounts.ada.post('/api/v1/embed/session/token', { sessionId: pending.sessionId })
    expect(late.status).toBe(401)

    const params = { embedTenantName: kept }
    expect((await client.getGroups({ params })).items).toMatchObject([{ name: 'team', userCount: 1 }])
    expect((await client.listEmbedUserAttributes({ params })).items).toMatchObject([{ name: 'city' }])
    expect((await client.listEmbedUsers({ params })).items).toMatchObject([{ externalId: 'zoe' }])
    const { items } = await client.getUsers({ query: { search: 'zoe' } })
    expect(items.filter(({ externalId }) => externalId === 'zoe')).toHaveLength(2)

    // Made again, it has nothing of what was.
    await tokenOf(gone, 'zoe')
    expect((await client.getGroups({ params: { embedTenantName: gone } })).items).toEqual([])
    expect((await client.listEmbedUserAttributes({ params: { embedTenantName: gone } })).items).toEqual([])
  })
})

describe('attributes of an embed tenant', () => {
  const define = (type: string, more: Record<string, unknown> = {}) => ({
    userAttributeDefinitions: [{ name: 'level', type, ...more }],
  })

  test('are listed with what was said of them last, newest first, and deleted with their values, once', async () => {
    const client = connect(accounts.ada)
    const embedTenantName = tenantName()
    const params = { embedTenantName }
    await tokenOf(embedTenantName, 'ann', define('number', { displayName: 'Level', defaultValue: '1' }))
    await tokenOf(embedTenantName, 'ann', define('number', { displayName: null, description: 'how high' }))
    await tokenOf(embedTenantName, 'ann', { userAttributeDefinitions: [{ name: 'city', type: 'string' }] })
    const { items } = await client.listEmbedUserAttributes({ params })
    expect(items).toMatchObject([
      { name: 'city', type: 'string', displayName: null, description: null, defaultValue: null },
      { name: 'level', type: 'number', displayName: 'Level', description: 'how high', defaultValue: '1' },
    ])
    const id = items[1]?.id ?? 0
    await client.deleteEmbedUserAttribute({ params: { ...params, id } })
    await expectRefusal(client.deleteEmbedUserAttribute({ params: { ...params, id } }), 'embed_attribute_not_found')
    expect((await client.listEmbedUserAttributes({ params })).items.map(({ name }) => name)).toEqual(['city'])
    // The name can be of another type then.
    await tokenOf(embedTenantName, 'ann', define('string_array'))
  })

  test('of one name, defined by 32 sessions at once in different orders: one each, none fails', async () => {
    const client = connect(accounts.ada)
    const embedTenantName = tenantName()
    const names = Array.from({ length: 12 }, (_, index) => `name-${index}`)
    await Promise.all(
      Array.from({ length: 32 }, (_, index) => {
        const order = index % 2 === 0 ? names : [...names].reverse()
        return client.generateSession({
          body: {
            deploymentId,
            externalId: `user-${index % 4}`,
            creatorMode: true,
            embedTenantName,
            groupDefinitions: order.map(name => ({ name, description: `of ${index}` })),
            userAttributeDefinitions: order.map(name => ({ name, type: 'string' as const })),
            groups: order,
          },
        })
      }),
    )
    const params = { embedTenantName }
    const groups = (await client.getGroups({ params })).items
    expect(groups.map(({ name, userCount }) => [name, userCount]).sort()).toEqual(names.map(name => [name, 4]).sort())
    expect((await client.listEmbedUserAttributes({ params })).items.map(({ name }) => name).sort()).toEqual(
      [...names].sort(),
    )
    expect((await client.listEmbedUsers({ params })).items).toHaveLength(4)
  })

  test('of two types at once: one is right, the other cannot change it', async () => {
    for (let round = 0; round < 5; round++) {
      const embedTenantName = tenantName()
      const outcomes = await Promise.allSettled([
        tokenOf(embedTenantName, 'ann', define('string')),
        tokenOf(embedTenantName, 'ben', { ...define('number'), groupDefinitions: [{ name: 'of-ben' }] }),
      ])
      const refused = outcomes.filter(({ status }) => status === 'rejected')
      expect(refused).toMatchObject([{ reason: { code: 'attribute_type_immutable' } }])
      const params = { embedTenantName }
      const { items } = await connect(accounts.ada).listEmbedUserAttributes({ params })
      expect(items.map(({ type }) => type)).toEqual([outcomes[0]?.status === 'fulfilled' ? 'string' : 'number'])
      // Of the refused request nothing is there, not even its group.
      const groups = (await connect(accounts.ada).getGroups({ params })).items.map(({ name }) => name)
      expect(groups).toEqual(outcomes[1]?.status === 'fulfilled' ? ['of-ben'] : [])
    }
  })
})

describe('the limit of external users', () => {
  test('is told for each entry with 429, holds under racing requests, and leaves who is known alone', async () => {
    const client = connect(accounts.ada)
    const params = { embedTenantName: tenantName() }
    await client.provisionEmbedUser({ params, body: { externalId: 'known' } })
    const { items } = await client.getUsers({})
    const known = items.filter(({ externalId }) => externalId !== null).length
    await client.updateTenantSettings({ body: { externalUserLimit: known + 3 } })
    try {
      const users = ['a', 'known', 'b', 'c', 'd', 'e'].map(externalId => ({ externalId }))
      const { succeeded, failed } = await client.provisionEmbedUsers({ params, body: { users } })
      expect(succeeded.map(({ externalId }) => externalId)).toEqual(['a', 'known', 'b', 'c'])
      expect(failed.map(({ externalId, error }) => [externalId, error.status])).toEqual([
        ['d', 429],
        ['e', 429],
      ])
      const { id } = await client.createGroup({ params, body: { name: 'team' } })
      const add = (...ids: string[]) => client.addGroupMembers({ params: { ...params, id }, body: asMembers(...ids) })
      await expectRefusal(add('a', 'f'), 'external_user_limit')
      expect((await client.getGroup({ params: { ...params, id } })).userCount).toBe(0)
      expect((await add('a', 'b', 'c')).addedMembers).toHaveLength(3)

      await client.updateTenantSettings({ body: { externalUserLimit: known + 8 } })
      const outcomes = await Promise.allSettled(
        Array.from({ length: 24 }, (_, index) =>
          index % 2 === 0
            ? client.provisionEmbedUser({ params, body: { externalId: `race-${index}` } })
            : add(`race-${index}`),
        ),
      )
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
      const listed = (await client.listEmbedUsers({ params })).items
      expect(listed.filter(user => user.externalId?.startsWith('race-'))).toHaveLength(5)
    } finally {
      await client.updateTenantSettings({ body: { externalUserLimit: 10_000 } })
    }
  })

  test('1,000 new members come in one request', async () => {
    const client = connect(accounts.ada)
    const params = { embedTenantName: tenantName() }
    const { id } = await client.createGroup({ params, body: { name: 'team' } })
    const ids = Array.from({ length: 1000 }, (_, index) => `user-${index}`)
    const { addedMembers } = await client.addGroupMembers({ params: { ...params, id }, body: asMembers(...ids) })
    expect(addedMembers.map(({ externalId }) => externalId)).toEqual(ids)
    await client.deleteEmbedTenant({ params })
  })
})
