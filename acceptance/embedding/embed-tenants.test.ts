import { describe, expect, test } from 'vitest'
import { createKey, sharedApi, unique } from '../support/api.ts'
import { connect, expectRefusal } from '../support/contract-client.ts'
import { tenantName } from '../support/embed-tenants.ts'

const api = sharedApi()
const admin = connect(api)

/** A tenant of its own, with groups of these names in this order. */
async function tenantWith(...groups: string[]) {
  const embedTenantName = tenantName()
  const ids: number[] = []
  for (const name of groups) ids.push((await admin.createGroup({ params: { embedTenantName }, body: { name } })).id)
  const [id = 0] = ids
  return { embedTenantName, params: { embedTenantName }, groupParams: { embedTenantName, id }, ids, id }
}

const membersOf = async (groupParams: { embedTenantName: string; id: number }) =>
  (await admin.getGroupMembers({ params: groupParams })).items.map(({ externalId }) => externalId)

const asMembers = (...externalIds: string[]) => ({ members: externalIds.map(externalId => ({ externalId })) })

describe('GET and DELETE embed-tenants/{name}/groups', () => {
  test('lists the groups newest first, each with how many members it has', async () => {
    const { params, groupParams } = await tenantWith('first', 'second', 'third')
    await admin.addGroupMembers({ params: groupParams, body: asMembers('u1', 'u2') })
    const { items } = await admin.getGroups({ params })
    expect(items.map(({ name, userCount }) => [name, userCount])).toEqual([
      ['third', 0],
      ['second', 0],
      ['first', 2],
    ])
    expect(await admin.getGroup({ params: groupParams })).toEqual(items[2])
  })

  test('a group with members is not deleted: 400; without them it is, once', async () => {
    const { params, groupParams } = await tenantWith('team')
    await admin.addGroupMembers({ params: groupParams, body: asMembers('u1') })
    await expectRefusal(
      admin.deleteGroup({ params: groupParams }),
      'embed_group_not_empty',
      /"team" still has 1 member\b/,
    )
    await admin.removeGroupMembers({ params: groupParams, body: asMembers('u1') })
    await admin.deleteGroup({ params: groupParams })
    expect((await admin.getGroups({ params })).items).toEqual([])
    await expectRefusal(admin.deleteGroup({ params: groupParams }), 'embed_group_not_found')
    // The user stays.
    expect((await admin.listEmbedUsers({ params })).items.map(({ externalId }) => externalId)).toEqual(['u1'])
  })

  test("another tenant's group is not there: 404 for each operation, and it stays as it is", async () => {
    const mine = await tenantWith('mine')
    const theirs = await tenantWith('theirs')
    await admin.addGroupMembers({ params: theirs.groupParams, body: asMembers('u1') })
    const params = { embedTenantName: mine.embedTenantName, id: theirs.id }
    for (const call of [
      () => admin.getGroup({ params }),
      () => admin.updateGroup({ params, body: { description: 'x' } }),
      () => admin.deleteGroup({ params }),
      () => admin.getGroupMembers({ params }),
      () => admin.addGroupMembers({ params, body: asMembers('u2') }),
      () => admin.removeGroupMembers({ params, body: asMembers('u1') }),
    ]) {
      await expectRefusal(call(), 'embed_group_not_found', new RegExp(String(theirs.id)))
    }
    expect(await admin.getGroup({ params: theirs.groupParams })).toMatchObject({ description: null, userCount: 1 })
    // Nobody was provisioned on the way.
    expect((await admin.listEmbedUsers({ params: mine.params })).items).toEqual([])
  })

  test('a tenant that is not there: 404 for what reads or changes it', async () => {
    const embedTenantName = tenantName()
    const params = { embedTenantName }
    const item = { embedTenantName, id: 1 }
    for (const call of [
      () => admin.getGroups({ params }),
      () => admin.listEmbedUserAttributes({ params }),
      () => admin.listEmbedUsers({ params }),
      () => admin.getGroup({ params: item }),
      () => admin.deleteGroup({ params: item }),
      () => admin.deleteEmbedUserAttribute({ params: item }),
      () => admin.addGroupMembers({ params: item, body: asMembers('u1') }),
    ]) {
      await expectRefusal(call(), 'embed_tenant_not_found', new RegExp(embedTenantName))
    }
  })

  test('the name of a tenant is taken in any letter case, but for its deletion', async () => {
    const { embedTenantName, params } = await tenantWith('team')
    const loud = { embedTenantName: embedTenantName.toUpperCase() }
    expect(await admin.getGroups({ params: loud })).toEqual(await admin.getGroups({ params }))
    const made = await admin.createGroup({ params: loud, body: { name: 'other' } })
    expect((await admin.getGroups({ params })).items.map(({ id }) => id)).toContain(made.id)
    await expectRefusal(admin.deleteEmbedTenant({ params: loud }), 'invalid_request', /^embedTenantName: /)
    expect((await admin.getGroups({ params })).items).toHaveLength(2)
  })

  test.each([
    'a'.repeat(4),
    'a'.repeat(37),
    '1tenant',
    'tenant-',
    'ten_ant',
    'ten ant',
    'tenänt',
    '-tenant',
    'system:x',
  ])('a name that is not of the SPEC format is refused: %s', async embedTenantName => {
    const params = { embedTenantName }
    await expectRefusal(admin.createGroup({ params, body: { name: 'x' } }), 'invalid_request', /5 to 36/)
    await expectRefusal(admin.deleteEmbedTenant({ params }), 'invalid_request', /5 to 36/)
  })
})

describe('POST and PATCH groups', () => {
  test('a taken or reserved name is refused with 400', async () => {
    const { params } = await tenantWith('team')
    await expectRefusal(admin.createGroup({ params, body: { name: ' team ' } }), 'embed_group_name_taken', /"team"/)
    for (const name of ['system:x', 'System:tenant:a:*', ' system:']) {
      await expectRefusal(admin.createGroup({ params, body: { name } }), 'group_name_reserved')
    }
    // In another tenant the name is free.
    await tenantWith('team')
  })

  test('only the description changes; an empty one clears it, none keeps it', async () => {
    const { params, groupParams } = await tenantWith('team')
    const body = { description: 'who sells' }
    expect(await admin.updateGroup({ params: groupParams, body })).toMatchObject({ name: 'team', ...body })
    for (const kept of [{}, { description: null }]) {
      expect(await admin.updateGroup({ params: groupParams, body: kept })).toMatchObject(body)
    }
    expect((await admin.updateGroup({ params: groupParams, body: { description: '' } })).description).toBeNull()
    const renamed = await api.request(
      'PATCH',
      `/api/v1/embed-tenants/${params.embedTenantName}/groups/${groupParams.id}`,
      {
        name: 'other',
      },
    )
    expect([renamed.status, renamed.body.code]).toEqual([400, 'invalid_request'])
  })

  test('32 requests at once for one name make one group; the others are told that it is taken', async () => {
    const params = { embedTenantName: tenantName() }
    const outcomes = await Promise.allSettled(
      Array.from({ length: 32 }, () => admin.createGroup({ params, body: { name: 'team' } })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'embed_group_name_taken' })
    }
    expect((await admin.getGroups({ params })).items).toHaveLength(1)
  })
})

describe('members', () => {
  test('each lands among the added or the unchanged; adding again changes nothing', async () => {
    const { groupParams } = await tenantWith('team')
    const one = await admin.addGroupMembers({ params: groupParams, body: asMembers('Ann ', 'ben', 'ANN') })
    expect(one.addedMembers.map(({ externalId }) => externalId)).toEqual(['ann', 'ben'])
    expect(one.unchangedMembers).toEqual([])
    const [ann] = one.addedMembers
    const again = { members: [{ embedUserId: ann?.id ?? 0 }, { externalId: 'ann' }, { externalId: 'cem' }] }
    const two = await admin.addGroupMembers({ params: groupParams, body: again })
    expect(two.addedMembers.map(({ externalId }) => externalId)).toEqual(['cem'])
    expect(two.unchangedMembers).toEqual([ann])
    expect(await membersOf(groupParams)).toEqual(['cem', 'ben', 'ann'])
  })

  test('an unknown embedUserId is refused with 404 and nothing is written', async () => {
    const { params, groupParams } = await tenantWith('team')
    const elsewhere = await tenantWith('team')
    const { addedMembers } = await admin.addGroupMembers({ params: elsewhere.groupParams, body: asMembers('u1') })
    for (const embedUserId of [addedMembers[0]?.id ?? 0, 987_654_321]) {
      const body = { members: [{ externalId: 'new' }, { embedUserId }] }
      const call = admin.addGroupMembers({ params: groupParams, body })
      await expectRefusal(call, 'embed_user_not_found', new RegExp(String(embedUserId)))
    }
    expect((await admin.listEmbedUsers({ params })).items).toEqual([])
  })

  test('both or neither of externalId and embedUserId, none, or more than 1,000 are refused with 400', async () => {
    const { groupParams } = await tenantWith('team')
    const many = Array.from({ length: 1001 }, (_, index) => ({ externalId: `u${index}` }))
    for (const members of [[], [{}], [{ externalId: 'a', embedUserId: 1 }], many]) {
      await expectRefusal(
        admin.addGroupMembers({ params: groupParams, body: { members } }),
        'invalid_request',
        /^members/,
      )
    }
  })

  test('removing takes out of this group alone, passes over who is none, and makes nobody', async () => {
    const { params, groupParams, ids } = await tenantWith('one', 'two')
    const two = { ...params, id: ids[1] ?? 0 }
    await admin.addGroupMembers({ params: groupParams, body: asMembers('ann', 'ben') })
    await admin.addGroupMembers({ params: two, body: asMembers('ann') })
    const body = { members: [{ externalId: 'ANN' }, { externalId: 'nobody' }, { embedUserId: 987_654_321 }] }
    for (let time = 0; time < 2; time++) await admin.removeGroupMembers({ params: groupParams, body })
    expect([await membersOf(groupParams), await membersOf(two)]).toEqual([['ben'], ['ann']])
    expect((await admin.listEmbedUsers({ params })).items.map(({ externalId }) => externalId)).toEqual(['ann', 'ben'])
  })

  test('32 requests at once that add the same new users in different orders: each once, none fails', async () => {
    const { params, ids } = await tenantWith('one', 'two', 'three')
    const names = Array.from({ length: 20 }, (_, index) => `user-${index}`)
    await Promise.all(
      Array.from({ length: 32 }, (_, index) => {
        const order = index % 2 === 0 ? names : [...names].reverse()
        const id = ids[index % ids.length] ?? 0
        return admin.addGroupMembers({ params: { ...params, id }, body: asMembers(...order) })
      }),
    )
    expect((await admin.listEmbedUsers({ params })).items).toHaveLength(20)
    for (const id of ids) expect((await membersOf({ ...params, id })).sort()).toEqual([...names].sort())
  })

  test('adding to a group while it is deleted: it is gone or has them, nothing between', async () => {
    for (let round = 0; round < 8; round++) {
      const { params, groupParams } = await tenantWith('team')
      const [added, deleted] = await Promise.allSettled([
        admin.addGroupMembers({ params: groupParams, body: asMembers('u1') }),
        admin.deleteGroup({ params: groupParams }),
      ])
      const { items } = await admin.getGroups({ params })
      if (deleted.status === 'fulfilled') {
        expect(items).toEqual([])
        expect(added).toMatchObject({ status: 'rejected', reason: { code: 'embed_group_not_found' } })
      } else {
        expect(items).toMatchObject([{ userCount: 1 }])
        expect([added.status, deleted.reason.code]).toEqual(['fulfilled', 'embed_group_not_empty'])
      }
    }
  })
})

describe('users', () => {
  test('POST user makes one, and brings him up to date: what is left out is kept', async () => {
    const { params } = await tenantWith('sales', 'support')
    const externalId = ' Ann@Acme.example '
    const made = await admin.provisionEmbedUser({
      params,
      body: {
        externalId,
        email: 'ANN@acme.example',
        userProfile: { displayName: 'Ann', picture: 'https://acme.example/ann.png' },
        tenantGroups: ['sales'],
      },
    })
    expect(made).toMatchObject({
      externalId: 'ann@acme.example',
      username: 'ann@acme.example',
      email: 'ann@acme.example',
      firstName: 'Ann',
      lastLogin: null,
    })
    const again = await admin.provisionEmbedUser({ params, body: { externalId: 'ANN@ACME.EXAMPLE', email: null } })
    expect(again).toEqual(made)
    const { items } = await admin.getGroups({ params })
    expect(items.map(({ name, userCount }) => [name, userCount])).toEqual([
      ['support', 0],
      ['sales', 1],
    ])
    expect((await admin.listEmbedUsers({ params })).items).toEqual([made])
  })

  test('tenantGroups: replaced when given, kept when left out, cleared by []', async () => {
    const { params, ids } = await tenantWith('a', 'b', 'c')
    const groupsOf = async () => {
      const { items } = await admin.getGroups({ params })
      return items.filter(({ userCount }) => userCount === 1).map(({ name }) => name)
    }
    const set = (tenantGroups?: string[] | null) =>
      admin.provisionEmbedUser({
        params,
        body: { externalId: 'ann', ...(tenantGroups === undefined ? {} : { tenantGroups }) },
      })
    await set(['a', 'b', 'a'])
    expect(await groupsOf()).toEqual(['b', 'a'])
    await set()
    await set(null)
    expect(await groupsOf()).toEqual(['b', 'a'])
    await set(['c'])
    expect(await groupsOf()).toEqual(['c'])
    await set([])
    expect(await groupsOf()).toEqual([])
    expect(ids).toHaveLength(3)
  })

  test('a group that does not exist is refused and nothing is written', async () => {
    const { params } = await tenantWith('sales')
    for (const groups of [{ tenantGroups: ['sales', 'none', 'nor'] }, { groups: ['none', 'nor'] }]) {
      const call = admin.provisionEmbedUser({ params, body: { externalId: 'ann', ...groups } })
      await expectRefusal(call, 'groups_not_found', /^Groups with names none, nor not found$/)
    }
    // Groups of the tenant are no groups of the account.
    const wrongLane = admin.provisionEmbedUser({ params, body: { externalId: 'ann', groups: ['sales'] } })
    await expectRefusal(wrongLane, 'groups_not_found', /sales/)
    expect((await admin.listEmbedUsers({ params })).items).toEqual([])
  })

  test('POST users: one after the other, what fails is said, the last entry of an id wins', async () => {
    const { params } = await tenantWith('sales')
    const body = {
      users: [
        { externalId: 'Ben', userProfile: { displayName: 'first' } },
        { externalId: ' Cem ', tenantGroups: ['none'] },
        { externalId: 'ann' },
        { externalId: 'ben', userProfile: { displayName: 'last' } },
        { externalId: '\u200b' },
      ],
    }
    for (let time = 0; time < 2; time++) {
      const { succeeded, failed } = await admin.provisionEmbedUsers({ params, body })
      expect(succeeded.map(({ externalId, firstName }) => [externalId, firstName])).toEqual([
        ['ben', 'first'],
        ['ann', null],
        ['ben', 'last'],
      ])
      expect(failed).toEqual([
        { externalId: 'cem', error: { status: 400, message: 'Groups with names none not found' } },
        { externalId: '\u200b', error: { status: 400, message: expect.stringContaining('externalId') } },
      ])
      const { items } = await admin.listEmbedUsers({ params })
      expect(items.map(({ externalId, firstName }) => [externalId, firstName])).toEqual([
        ['ann', null],
        ['ben', 'last'],
      ])
    }
  })

  test('come in the order of e-mail addresses, found by part of one or of an external id', async () => {
    const params = { embedTenantName: tenantName() }
    await admin.provisionEmbedUsers({
      params,
      body: {
        users: [
          { externalId: 'crm-1', email: 'Zoe@acme.example' },
          { externalId: 'crm-2', email: 'ann@acme.example' },
          { externalId: 'crm-3' },
          { externalId: 'erp_4', email: 'mia@other.example' },
        ],
      },
    })
    const find = async (search: string) =>
      (await admin.listEmbedUsers({ params, query: { search } })).items.map(({ externalId }) => externalId)
    expect(await find('')).toEqual(['crm-2', 'crm-3', 'erp_4', 'crm-1'])
    expect(await find('ACME')).toEqual(['crm-2', 'crm-1'])
    expect(await find('CRM-')).toEqual(['crm-2', 'crm-3', 'crm-1'])
    expect(await find('crm-3')).toEqual(['crm-3'])
    // Wildcards are none.
    expect(await find('_')).toEqual(['erp_4'])
    expect(await find('%')).toEqual([])
    const { items } = await admin.listEmbedUsers({ params, query: { search: 'crm-3' } })
    expect(items[0]?.email).toBe('crm-3@embed-user.invalid')
  })

  test('32 requests at once for one external id, in different letters, make one user', async () => {
    const params = { embedTenantName: tenantName() }
    const made = await Promise.all(
      Array.from({ length: 32 }, (_, index) =>
        admin.provisionEmbedUser({ params, body: { externalId: index % 2 === 0 ? 'Ann' : 'aNN' } }),
      ),
    )
    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
    expect((await admin.listEmbedUsers({ params })).items).toHaveLength(1)
  })

  test('one external id in two tenants is two users', async () => {
    const [one, two] = [{ embedTenantName: tenantName() }, { embedTenantName: tenantName() }]
    const body = { externalId: 'ann', userProfile: { displayName: 'one' } }
    const first = await admin.provisionEmbedUser({ params: one, body })
    const second = await admin.provisionEmbedUser({ params: two, body: { externalId: 'ann' } })
    expect(second.id).not.toBe(first.id)
    expect(second.firstName).toBeNull()
  })
})

describe('GET embed-tenants', () => {
  test('lists tenants by name with how many users each has, found by part of the name', async () => {
    const marker = unique('z').slice(0, 12)
    for (const name of ['cc', 'aa', 'bb']) {
      await admin.createGroup({ params: { embedTenantName: `${marker}-${name}` }, body: { name: 'x' } })
    }
    const params = { embedTenantName: `${marker}-bb` }
    await admin.provisionEmbedUsers({ params, body: { users: [{ externalId: 'a' }, { externalId: 'b' }] } })
    const { items } = await admin.listEmbedTenants({ query: { search: marker.toUpperCase() } })
    expect(items.map(({ name, userCount }) => [name, userCount])).toEqual([
      [`${marker}-aa`, 0],
      [`${marker}-bb`, 2],
      [`${marker}-cc`, 0],
    ])
  })
})

describe('cursors stay right while rows come and go', () => {
  test('groups', async () => {
    const { params, ids } = await tenantWith('a', 'b', 'c', 'd', 'e')
    const page = await admin.getGroups({ params, query: { first: 2 } })
    expect(page.items.map(({ name }) => name)).toEqual(['e', 'd'])
    await admin.deleteGroup({ params: { ...params, id: ids[3] ?? 0 } })
    await admin.deleteGroup({ params: { ...params, id: ids[1] ?? 0 } })
    await admin.createGroup({ params, body: { name: 'new' } })
    const rest = await admin.getGroups({ params, query: { after: page.pageInfo.endCursor ?? '' } })
    expect(rest.items.map(({ name }) => name)).toEqual(['c', 'a'])
  })

  test('members, also those added in one request', async () => {
    const { groupParams: params } = await tenantWith('team')
    await admin.addGroupMembers({ params, body: asMembers('a', 'b', 'c', 'd', 'e') })
    const page = await admin.getGroupMembers({ params, query: { first: 2 } })
    expect(page.items.map(({ externalId }) => externalId)).toEqual(['e', 'd'])
    await admin.removeGroupMembers({ params, body: asMembers('d', 'b') })
    await admin.addGroupMembers({ params, body: asMembers('b', 'new') })
    const rest = await admin.getGroupMembers({ params, query: { after: page.pageInfo.endCursor ?? '' } })
    expect(rest.items.map(({ externalId }) => externalId)).toEqual(['c', 'a'])
  })

  test('users', async () => {
    const params = { embedTenantName: tenantName() }
    const add = (...ids: string[]) =>
      admin.provisionEmbedUsers({ params, body: { users: ids.map(externalId => ({ externalId })) } })
    await add('b', 'd', 'f', 'h')
    const page = await admin.listEmbedUsers({ params, query: { first: 2 } })
    expect(page.items.map(({ externalId }) => externalId)).toEqual(['b', 'd'])
    await add('a', 'c', 'e', 'g')
    const rest = await admin.listEmbedUsers({ params, query: { after: page.pageInfo.endCursor ?? '' } })
    expect(rest.items.map(({ externalId }) => externalId)).toEqual(['e', 'f', 'g', 'h'])
  })

  test('a cursor of another list is refused; one of another tenant shows nothing of it', async () => {
    const one = await tenantWith('a', 'b', 'c')
    const two = await tenantWith('x', 'y', 'z')
    const { pageInfo } = await admin.getGroups({ params: two.params, query: { first: 1 } })
    const after = pageInfo.endCursor ?? ''
    await expectRefusal(admin.listEmbedUsers({ params: one.params, query: { after } }), 'cursor_invalid')
    await expectRefusal(admin.listEmbedUserAttributes({ params: one.params, query: { after } }), 'cursor_invalid')
    const { items } = await admin.getGroups({ params: one.params, query: { after } })
    expect(items.every(({ id }) => one.ids.includes(id))).toBe(true)
  })
})

describe('DELETE embed-tenants/{name}', () => {
  test('answers 204 also where there is none, and again', async () => {
    const { params } = await tenantWith('team')
    for (let time = 0; time < 3; time++) await admin.deleteEmbedTenant({ params })
    await expectRefusal(admin.getGroups({ params }), 'embed_tenant_not_found')
  })

  test('the name is free afterwards and begins with nothing', async () => {
    const { params, groupParams } = await tenantWith('team')
    await admin.addGroupMembers({ params: groupParams, body: asMembers('ann') })
    await admin.deleteEmbedTenant({ params })
    await admin.createGroup({ params, body: { name: 'new' } })
    expect((await admin.getGroups({ params })).items.map(({ name, userCount }) => [name, userCount])).toEqual([
      ['new', 0],
    ])
    expect((await admin.listEmbedUsers({ params })).items).toEqual([])
  })

  test('while others write to it: each request succeeds whole or says that it is gone; no failure', async () => {
    const { params, ids } = await tenantWith('a', 'b')
    const requests = Array.from({ length: 32 }, (_, index) => {
      if (index % 8 === 7) return () => admin.deleteEmbedTenant({ params })
      if (index % 2 === 0) {
        return () => admin.provisionEmbedUser({ params, body: { externalId: `u${index % 5}` } })
      }
      return () => admin.addGroupMembers({ params: { ...params, id: ids[0] ?? 0 }, body: asMembers('u1', `n${index}`) })
    })
    const outcomes = await Promise.allSettled(requests.map(send => send()))
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        expect(['embed_tenant_not_found', 'embed_group_not_found']).toContain(outcome.reason.code)
      }
    }
  })
})

test('a key limited to deployments, and one with every permission, are no administrators: 403', async () => {
  const { params } = await tenantWith('team')
  const everything = { policies: [{ resourceType: 'Global', actions: ['All'], resources: ['All'] }] }
  const client = connect(api.with(await createKey(api, everything)))
  await expectRefusal(client.getGroups({ params }), 'admin_required')
  await expectRefusal(client.deleteEmbedTenant({ params }), 'admin_required')
  // Whether a tenant exists is not said either.
  await expectRefusal(client.getGroups({ params: { embedTenantName: tenantName() } }), 'admin_required')
})
