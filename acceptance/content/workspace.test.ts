import { beforeEach, describe, expect, test } from 'vitest'
import { createDeployment, sharedApi, unique } from '../support/api.ts'
import { connect, expectRefusal } from '../support/contract-client.ts'
import { openSession, uniqueTenant } from '../support/embedding.ts'

const api = sharedApi()
const admin = connect(api)
type Client = typeof admin
type Query = NonNullable<Parameters<Client['workspaceObjects']>[0]['query']>

let deploymentId: number
let params: { deploymentId: number }
beforeEach(async () => {
  deploymentId = await createDeployment(api)
  params = { deploymentId }
})

const folder = async (name: string, parentId: number | null = null, client = admin) =>
  (await client.createFolder({ params, body: { name, parentId } })).id
const workbook = async (name: string, folderId: number | null = null, client = admin) =>
  (await client.createWorkbook({ params, body: { name, folderId } })).id
const report = async (name: string, folderId: number | null = null, client = admin) =>
  (await client.createReport({ params, body: { name, folderId } })).id

const list = async (query: Query = {}, client = admin) => (await client.workspaceObjects({ params, query })).items
const names = async (query: Query = {}, client = admin) => (await list(query, client)).map(({ name }) => name)

/** Names on all pages of a size. */
async function walk(query: Query, first: number, client = admin): Promise<string[]> {
  const walked: string[] = []
  for (let after: string | null | undefined; ; ) {
    const { items, pageInfo } = await client.workspaceObjects({
      params,
      query: { ...query, first, ...(after ? { after } : {}) },
    })
    walked.push(...items.map(({ name }) => name))
    expect(items.length).toBeLessThanOrEqual(first)
    if (!pageInfo.hasNextPage) return walked
    after = pageInfo.endCursor
  }
}

async function creator(embedTenantName: string): Promise<Client> {
  const body = { deploymentId, externalId: unique('user'), creatorMode: true, embedTenantName }
  const session = await openSession(api, body)
  return connect({ baseUrl: api.baseUrl, apiKey: session.token }, 'Embed-Token')
}

describe('the workspace', () => {
  test('shows folders first, then workbooks and reports, each as its own operations do', async () => {
    await report('Churn')
    await workbook('Board')
    const outer = await folder('Zoo')
    await folder('Ark')
    await workbook('Hidden below', outer)
    const items = await list()
    expect(items.map(({ type, name }) => [type, name])).toEqual([
      ['FOLDER', 'Ark'],
      ['FOLDER', 'Zoo'],
      ['WORKBOOK', 'Board'],
      ['REPORT', 'Churn'],
    ])
    const [, zoo, board, churn] = items
    expect(zoo).toMatchObject((await admin.getFolders({ params })).items[1] ?? {})
    expect(board).toEqual((await admin.getWorkbooks({ params })).items.find(({ id }) => id === board?.id))
    expect(churn).toMatchObject({ publicId: expect.stringMatching(/^\w{12}$/), version: 1, meta: {} })
    expect(await names({ folderId: outer })).toEqual(['Hidden below'])
    expect(await names({ folderId: 0 })).toEqual(items.map(({ name }) => name))
  })

  test('leaves out reports in workbooks, which are where those are', async () => {
    const workbookId = await workbook('Board')
    await admin.createReport({ params, body: { name: 'In it', workbookId } })
    expect(await names()).toEqual(['Board'])
  })

  test('is limited to types, once or several times in the address', async () => {
    await folder('F')
    await workbook('W')
    await report('R')
    expect(await names({ types: ['REPORT'] })).toEqual(['R'])
    expect(await names({ types: ['WORKBOOK', 'FOLDER'] })).toEqual(['F', 'W'])
    const one = await api.get(`/api/v1/deployments/${deploymentId}/workspace?types=WORKBOOK`)
    expect(Object(one.body.items)).toMatchObject([{ name: 'W' }])
    const bad = await api.get(`/api/v1/deployments/${deploymentId}/workspace?types=DASHBOARD`)
    expect([bad.status, bad.body.message]).toEqual([400, expect.stringMatching(/^types/)])
  })

  test('finds a part of a name in all folders, whatever its case, and % and _ as they are', async () => {
    const outer = await folder('Sales')
    const inner = await folder('sales 100%', outer)
    await workbook('More SALES_2', inner)
    await report('Other', inner)
    for (const folderId of [0, outer]) {
      expect(await names({ search: 'sAlEs', folderId })).toEqual(['Sales', 'sales 100%', 'More SALES_2'])
    }
    expect(await names({ search: '0%' })).toEqual(['sales 100%'])
    expect(await names({ search: 's_2' })).toEqual(['More SALES_2'])
    expect(await names({ search: '\\' })).toEqual([])
    expect(await names({ search: '' })).toEqual(['Sales'])
  })

  test.each([
    ['name', 'ASC', ['F', 'alpha', 'Beta', 'beta', 'gamma']],
    ['name', 'DESC', ['F', 'gamma', 'beta', 'Beta', 'alpha']],
    ['name', undefined, ['F', 'alpha', 'Beta', 'beta', 'gamma']],
    ['created_at', 'ASC', ['F', 'gamma', 'Beta', 'alpha', 'beta']],
    ['created_at', undefined, ['F', 'beta', 'alpha', 'Beta', 'gamma']],
    ['updated_at', 'ASC', ['F', 'Beta', 'alpha', 'beta', 'gamma']],
    [undefined, undefined, ['F', 'gamma', 'beta', 'alpha', 'Beta']],
  ] as const)('is sorted by %s %s, the same on pages of any size', async (orderByField, orderByDirection, wanted) => {
    await folder('F')
    const first = await workbook('gamma')
    await report('Beta')
    await workbook('alpha')
    await workbook('beta')
    await admin.updateWorkbook({ params: { ...params, workbookId: first }, body: { meta: { changed: true } } })
    const query = { ...(orderByField && { orderByField }), ...(orderByDirection && { orderByDirection }) }
    expect(await names(query)).toEqual(wanted)
    for (const size of [1, 2, 3]) expect(await walk(query, size)).toEqual(wanted)
  })

  test('is sorted by when the viewer last looked, without cursors', async () => {
    const [one, two] = [await workbook('one'), await workbook('two')]
    await workbook('never')
    for (const workbookId of [two, one]) await admin.getWorkbook({ params: { ...params, workbookId } })
    const query = { orderByField: 'viewer_last_viewed_at' } as const
    const { items, pageInfo } = await admin.workspaceObjects({ params, query: { ...query, first: 2 } })
    expect(items.map(({ name }) => name)).toEqual(['one', 'two'])
    expect(pageInfo).toEqual({ hasNextPage: true, hasPreviousPage: false, startCursor: null, endCursor: null })
    expect(await names(query)).toEqual(['one', 'two', 'never'])
    expect(await names({ ...query, orderByDirection: 'ASC' })).toEqual(['never', 'two', 'one'])
    const after = (await admin.workspaceObjects({ params, query: { first: 1 } })).pageInfo.endCursor ?? ''
    await expectRefusal(list({ ...query, after }), 'invalid_request', /viewer_last_viewed_at has no cursors/)
  })

  test('pages stay right while items come and go; a cursor of another order is refused', async () => {
    for (const name of ['b', 'd', 'f']) await workbook(name)
    const query = { orderByField: 'name', first: 2 } as const
    const { pageInfo } = await admin.workspaceObjects({ params, query })
    const [gone] = await list({ search: 'd' })
    await admin.deleteWorkbook({ params: { ...params, workbookId: gone?.id ?? 0 } })
    for (const name of ['a', 'e']) await report(name)
    const after = pageInfo.endCursor ?? ''
    expect(await names({ ...query, after })).toEqual(['e', 'f'])
    await expectRefusal(list({ after }), 'cursor_invalid')
    await expectRefusal(list({ ...query, orderByDirection: 'DESC', after }), 'cursor_invalid')
    const forged = [
      ['workspace', 'updated_at DESC', 'WORKBOOK', 0, 'yesterday', 1],
      ['workspace', 'updated_at DESC', 'WORKBOOK', 0, '0000-01-01T00:00:00Z', 1],
      ['workspace', 'size DESC', 'WORKBOOK', 0, 'x', 1],
      ['workspace', 'updated_at DESC', 'FOLDER', -1, 'x', 1],
    ]
    for (const key of forged) {
      await expectRefusal(list({ after: Buffer.from(JSON.stringify(key)).toString('base64url') }), 'cursor_invalid')
    }
  })

  test("of an embed tenant is its own; a cursor of another's shows nothing of it", async () => {
    const [ada, eve] = [await creator(uniqueTenant()), await creator(uniqueTenant())]
    for (const name of ['a1', 'a2', 'a3']) await workbook(name, null, ada)
    await workbook('e1', null, eve)
    await workbook('main')
    expect(await names({ orderByField: 'name' }, ada)).toEqual(['a1', 'a2', 'a3'])
    expect(await names({}, eve)).toEqual(['e1'])
    expect(await names()).toEqual(['main'])
    const query = { orderByField: 'name', first: 1 } as const
    const after = (await ada.workspaceObjects({ params, query })).pageInfo.endCursor ?? ''
    expect(await names({ ...query, after }, eve)).toEqual(['e1'])
    for (const client of [eve, admin]) expect(await names({ search: 'a1' }, client)).toEqual([])
  })
})

describe('a move', () => {
  test('puts an item into a folder and back to the root, and answers it', async () => {
    const target = await folder('Target')
    const ids = [
      { type: 'FOLDER', id: await folder('F') },
      { type: 'WORKBOOK', id: await workbook('W') },
      { type: 'REPORT', id: await report('R') },
    ] as const
    for (const item of ids) {
      const moved = await admin.moveWorkspaceObject({ params, body: { ...item, folderId: target } })
      expect(moved).toMatchObject({ ...item, folderPath: [{ id: target, name: 'Target' }] })
    }
    expect(await names({ folderId: target })).toEqual(['F', 'R', 'W'])
    for (const item of ids) {
      const moved = await admin.moveWorkspaceObject({ params, body: { ...item, folderId: null } })
      expect(moved).toMatchObject({ ...item, folderPath: [] })
    }
    expect(await names({ folderId: target })).toEqual([])
  })

  test('of a folder into itself, below itself, too deep or onto its name is refused', async () => {
    const chain: number[] = []
    for (let level = 1; level <= 9; level++) chain.push(await folder(`level ${level}`, chain.at(-1) ?? null))
    const [top = 0, second = 0] = chain
    const move = (id: number, folderId: number | null) =>
      admin.moveWorkspaceObject({ params, body: { type: 'FOLDER', id, folderId } })
    for (const into of [top, second, chain.at(-1) ?? 0]) {
      await expectRefusal(move(top, into), 'folder_into_itself', new RegExp(`${top} .* ${into}`))
    }
    const pair = await folder('pair')
    await folder('in pair', pair)
    await expectRefusal(move(pair, chain.at(-1) ?? 0), 'folder_too_deep', /10/)
    await move(pair, chain.at(-2) ?? 0)
    const same = await folder('level 2')
    await expectRefusal(move(same, top), 'name_taken', /level 2/)
  })

  test('of two folders into each other at once never makes a circle', async () => {
    for (let round = 0; round < 5; round++) {
      const [one, two] = [await folder(`one ${round}`), await folder(`two ${round}`)]
      const move = (id: number, folderId: number) =>
        admin.moveWorkspaceObject({ params, body: { type: 'FOLDER', id, folderId } })
      const outcomes = await Promise.allSettled([move(one, two), move(two, one)])
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      for (const folderId of [one, two]) {
        expect((await admin.getFolderAncestors({ params: { ...params, folderId } })).at(-1)?.id).toBe(folderId)
      }
    }
  })

  test('of a report in a workbook is refused', async () => {
    const workbookId = await workbook('W')
    const { id } = await admin.createReport({ params, body: { name: 'R', workbookId } })
    const move = admin.moveWorkspaceObject({ params, body: { type: 'REPORT', id, folderId: await folder('F') } })
    await expectRefusal(move, 'report_in_workbook', new RegExp(`workbook ${workbookId}`))
  })

  test('of what is missing, elsewhere or of another tenant is 404, and so is such a folder', async () => {
    const elsewhere = { deploymentId: await createDeployment(api) }
    const other = (await admin.createFolder({ params: elsewhere, body: { name: 'elsewhere' } })).id
    const ada = await creator(uniqueTenant())
    const hers = await folder('hers', null, ada)
    const mine = await workbook('mine')
    for (const id of [other, hers, 987_654_321]) {
      for (const [type, code] of [['FOLDER', 'folder_not_found']] as const) {
        await expectRefusal(admin.moveWorkspaceObject({ params, body: { type, id, folderId: null } }), code)
      }
      const into = admin.moveWorkspaceObject({ params, body: { type: 'WORKBOOK', id: mine, folderId: id } })
      await expectRefusal(into, 'folder_not_found')
    }
    const steal = ada.moveWorkspaceObject({ params, body: { type: 'WORKBOOK', id: mine, folderId: hers } })
    await expectRefusal(steal, 'workbook_not_found')
  })

  test('needs manage access to the item and edit access to the folder', async () => {
    const tenant = uniqueTenant()
    const [ada, ben] = [await creator(tenant), await creator(tenant)]
    const { id: userId } = await ben.getMe({})
    const [target, item] = [await folder('target', null, ada), await folder('item', null, ada)]
    const his = await workbook('his', null, ben)
    const share = (resourceId: number, action: 'FolderRead' | 'FolderEdit' | 'FolderManage') =>
      ada.setUserPolicy({ body: { resourceType: 'Folder', resourceId, userId, action } })
    const move = (type: 'FOLDER' | 'WORKBOOK', id: number) =>
      ben.moveWorkspaceObject({ params, body: { type, id, folderId: target } })
    await share(target, 'FolderRead')
    await share(item, 'FolderEdit')
    await expectRefusal(move('WORKBOOK', his), 'content_level_missing', new RegExp(`edit access to folder ${target}`))
    await expectRefusal(move('FOLDER', item), 'content_level_missing', new RegExp(`manage access to folder ${item}`))
    await share(target, 'FolderEdit')
    await move('WORKBOOK', his)
    // What is in her folder is hers to see too.
    expect(await names({ folderId: target }, ada)).toEqual(['his'])
    await share(item, 'FolderManage')
    await move('FOLDER', item)
  })
})

describe('bulk operations', () => {
  test('apply what they can in order, and say of the rest what it alone would be answered', async () => {
    const [outer, inner] = [await folder('outer'), await folder('between')]
    const [w, r] = [await workbook('W'), await report('R')]
    const items = [
      { type: 'WORKBOOK', id: w },
      { type: 'FOLDER', id: outer },
      { type: 'REPORT', id: 987_654_321 },
      { type: 'FOLDER', id: inner },
      { type: 'WORKBOOK', id: w },
      { type: 'REPORT', id: r },
    ] as const
    const { moved, failed } = await admin.bulkMoveWorkspaceObjects({
      params,
      body: { items: [...items], folderId: outer },
    })
    expect(moved.map(({ type, id }) => [type, id])).toEqual([
      ['WORKBOOK', w],
      ['FOLDER', inner],
      ['REPORT', r],
    ])
    expect(failed).toEqual([
      { type: 'FOLDER', id: outer, error: { status: 400, message: expect.stringMatching(/itself/) } },
      { type: 'REPORT', id: 987_654_321, error: { status: 404, message: expect.stringMatching(/987654321/) } },
    ])
    expect(await names({ folderId: outer })).toEqual(['between', 'R', 'W'])

    const gone = await admin.bulkDeleteWorkspaceObjects({
      params,
      body: { items: [{ type: 'FOLDER', id: outer }, ...items.slice(2, 4), { type: 'FOLDER', id: outer }] },
    })
    expect(gone.deleted).toEqual([{ type: 'FOLDER', id: inner }])
    expect(gone.failed.map(({ type, id, error }) => [type, id, error.status])).toEqual([
      ['FOLDER', outer, 400],
      ['REPORT', 987_654_321, 404],
    ])
    const rest = await admin.bulkDeleteWorkspaceObjects({
      params,
      body: {
        items: [
          { type: 'FOLDER', id: outer },
          { type: 'REPORT', id: r },
        ],
      },
    })
    expect(rest).toEqual({
      deleted: [
        { type: 'FOLDER', id: outer },
        { type: 'REPORT', id: r },
      ],
      failed: [],
    })
    // A folder's content goes to the root with it.
    expect(await names()).toEqual(['W'])
    const [item] = await list()
    expect(item).toMatchObject({ folderPath: [] })
  })

  test("tell nothing of another tenant's items", async () => {
    const [ada, eve] = [await creator(uniqueTenant()), await creator(uniqueTenant())]
    const items = [
      { type: 'FOLDER', id: await folder('secret folder', null, ada) },
      { type: 'WORKBOOK', id: await workbook('secret workbook', null, ada) },
      { type: 'REPORT', id: await report('secret report', null, ada) },
    ] as const
    const [moved, deleted] = [
      await eve.bulkMoveWorkspaceObjects({ params, body: { items: [...items], folderId: null } }),
      await eve.bulkDeleteWorkspaceObjects({ params, body: { items: [...items] } }),
    ]
    for (const { failed } of [moved, deleted]) expect(failed.map(({ error }) => error.status)).toEqual([404, 404, 404])
    expect(JSON.stringify([moved, deleted])).not.toContain('secret')
    expect(await names({}, ada)).toHaveLength(3)
  })

  test.each([
    [{ items: [] }, /^items/],
    [{ items: Array.from({ length: 101 }, (_, id) => ({ type: 'REPORT', id: id + 1 })) }, /^items/],
    [{ items: [{ type: 'DASHBOARD', id: 1 }] }, /type/],
    [{ items: [{ type: 'REPORT' }] }, /id/],
    [{ items: [{ type: 'REPORT', id: 1, name: 'x' }] }, /name/],
    [{}, /^items/],
  ])('refuse %j', async (body, message) => {
    for (const name of ['bulk-move', 'bulk-delete']) {
      const answer = await api.post(`/api/v1/deployments/${deploymentId}/workspace/${name}`, body)
      expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(message)])
    }
  })

  test('of the same items at once apply each once', async () => {
    const items = await Promise.all(
      Array.from({ length: 5 }, async (_, index) => ({ type: 'WORKBOOK', id: await workbook(`w${index}`) }) as const),
    )
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => admin.bulkDeleteWorkspaceObjects({ params, body: { items } })),
    )
    expect(answers.flatMap(({ deleted }) => deleted)).toHaveLength(5)
    expect(answers.flatMap(({ failed }) => failed).every(({ error }) => error.status === 404)).toBe(true)
  })
})

describe('the shared workspace', () => {
  const embedTenantName = uniqueTenant()
  let shared: { all: number; tenant: number; top: number; middle: number; sibling: number }
  beforeEach(async () => {
    const top = await folder('top')
    const middle = await folder('middle', top)
    const sibling = await folder('sibling', top)
    const [all, tenant] = [await workbook('for all', middle), await workbook('for the tenant')]
    await workbook('for nobody', middle)
    await workbook('for nobody either')
    const share = (workbookId: number, body: object) =>
      api.put(`/api/v1/deployments/${deploymentId}/workbooks/${workbookId}/embed-access`, body)
    await creator(embedTenantName)
    const answers = [
      await share(all, { allEmbedUsers: true, action: 'read' }),
      await share(tenant, { embedTenantName, action: 'read' }),
    ]
    for (const { status, body } of answers) expect(status, JSON.stringify(body)).toBe(200)
    shared = { all, tenant, top, middle, sibling }
  })
  const sharedNames = async (client: Client, query: Query = {}) =>
    (await client.sharedWorkspaceObjects({ params, query })).items.map(({ name }) => name)

  test('has what is shared with all embed users, and with the tenant of the caller', async () => {
    const ours = await creator(embedTenantName)
    const theirs = await creator(uniqueTenant())
    expect(await sharedNames(ours)).toEqual(['top', 'for the tenant'])
    expect(await sharedNames(await creator(embedTenantName))).toEqual(['top', 'for the tenant'])
    expect(await sharedNames(theirs)).toEqual(['top'])
    expect(await sharedNames(admin)).toEqual(['top'])
    for (const client of [ours, theirs, admin]) {
      expect(await sharedNames(client, { folderId: shared.top })).toEqual(['middle'])
      expect(await sharedNames(client, { folderId: shared.middle })).toEqual(['for all'])
      const unshared = client.sharedWorkspaceObjects({ params, query: { folderId: shared.sibling } })
      await expectRefusal(unshared, 'folder_not_found')
    }
    expect(await sharedNames(theirs, { search: 'for' })).toEqual(['for all'])
    expect(await sharedNames(ours, { search: 'for', orderByField: 'name' })).toEqual(['for all', 'for the tenant'])
  })

  test('names no owner', async () => {
    const { email } = await admin.getMe({})
    for (const client of [await creator(embedTenantName), admin]) {
      const { items } = await client.sharedWorkspaceObjects({ params, query: { search: 'o' } })
      expect(items.length).toBeGreaterThan(1)
      for (const item of items) expect(item).toMatchObject({ user: null })
      expect(JSON.stringify(items)).not.toContain(email)
      expect(JSON.stringify(items)).not.toMatch(/"(createdBy|userId|updatedBy)":[^n]/)
    }
  })

  test('is read only, and not part of the workspace of the tenant', async () => {
    const client = await creator(embedTenantName)
    expect(await names({}, client)).toEqual([])
    const ids = [
      { type: 'WORKBOOK', id: shared.tenant },
      { type: 'FOLDER', id: shared.top },
    ] as const
    for (const item of ids) {
      const move = client.moveWorkspaceObject({ params, body: { ...item, folderId: null } })
      await expectRefusal(move, 'content_level_missing')
    }
    const { failed } = await client.bulkDeleteWorkspaceObjects({ params, body: { items: [...ids] } })
    expect(failed.map(({ error }) => error.status)).toEqual([403, 403])
    await expectRefusal(folder('in it', shared.top, client), 'content_level_missing')
    // Its folders open in the workspace too.
    expect(await names({ folderId: shared.middle }, client)).toEqual(['for all'])
  })

  test('ends with the share', async () => {
    const client = await creator(uniqueTenant())
    expect(await sharedNames(client)).toEqual(['top'])
    await api.put(`/api/v1/deployments/${deploymentId}/workbooks/${shared.all}/embed-access`, {
      allEmbedUsers: true,
      action: 'none',
    })
    expect(await sharedNames(client)).toEqual([])
  })
})
