import { beforeAll, describe, expect, test } from 'vitest'
import { createDeployment, createKey, sharedApi, unique } from '../support/api.ts'
import { connect, expectRefusal } from '../support/contract-client.ts'

const api = sharedApi()
const admin = connect(api)
let params: { deploymentId: number }

beforeAll(async () => {
  params = { deploymentId: await createDeployment(api) }
})

const widget = (id: string | null, more: object = {}) => ({
  ...(id === null ? {} : { id }),
  type: 'TEXT' as const,
  position: { x: 0, y: 0, w: 6, h: 2 },
  ...more,
})
const make = (body: Parameters<typeof admin.createWorkbook>[0]['body'] = {}) => admin.createWorkbook({ params, body })
const at = (workbookId: number) => ({ ...params, workbookId })
const read = (workbookId: number) => admin.getWorkbook({ params: at(workbookId) })

describe('a workbook', () => {
  test('is made of nothing, and read back as it was made', async () => {
    const made = await make({})
    expect(made).toMatchObject({ type: 'WORKBOOK', name: 'Untitled workbook', meta: {}, slug: null, folderId: null })
    expect(await read(made.id)).toEqual(made)
    const me = await admin.getMe({})
    expect(made).toMatchObject({ userId: me.id, createdBy: me.id, user: { id: me.id, email: me.email } })
  })

  test('keeps what is not sent; meta is replaced whole; null leaves a name', async () => {
    const { id } = await make({ name: 'One', meta: { a: 1, calculatedFields: { b: 2 } } })
    expect(await admin.updateWorkbook({ params: at(id), body: { name: 'Two' } })).toMatchObject({
      name: 'Two',
      meta: { a: 1 },
      calculatedFields: { b: 2 },
    })
    const { meta } = await admin.updateWorkbook({ params: at(id), body: { name: null, meta: { c: 3 } } })
    expect(meta).toEqual({ c: 3 })
    expect(await read(id)).toMatchObject({ name: 'Two', meta: { c: 3 }, calculatedFields: {} })
  })

  test('is gone once deleted, with its dashboard', async () => {
    const { id } = await make({ meta: { dashboardDraft: {} } })
    const { publicId } = await admin.publishDashboard({ params: at(id), body: { workbookId: id } })
    expect(await admin.deleteWorkbook({ params: at(id) })).toEqual({ success: true })
    await expectRefusal(read(id), 'workbook_not_found')
    await expectRefusal(admin.deleteWorkbook({ params: at(id) }), 'workbook_not_found')
    await expectRefusal(admin.getDashboard({ params: { publicId } }), 'dashboard_not_found')
  })

  test('of another deployment is not there', async () => {
    const { id } = await make()
    const other = { deploymentId: await createDeployment(api), workbookId: id }
    for (const call of [
      () => admin.getWorkbook({ params: other }),
      () => admin.updateWorkbook({ params: other, body: { name: 'x' } }),
      () => admin.deleteWorkbook({ params: other }),
      () => admin.duplicateWorkbook({ params: other }),
      () => admin.publishDashboard({ params: other, body: { workbookId: id } }),
      () => admin.updateWorkbookDashboard({ params: other, body: { dashboardDraft: {} } }),
      () => admin.getEmbedAccess({ params: other }),
      () => admin.updateEmbedAccess({ params: other, body: { allowEmbed: true } }),
    ]) {
      await expectRefusal(call(), 'workbook_not_found')
    }
  })

  test('is made where a deployment is open to him by whoever has a licence for the account, and nowhere else', async () => {
    const other = { deploymentId: await createDeployment(api) }
    const key = await createKey(api, {
      policies: [
        { resourceType: 'Global', actions: ['AIBIExplore'], resources: ['All'] },
        { resourceType: 'Deployment', actions: ['DeploymentRead'], resources: [String(params.deploymentId)] },
      ],
    })
    const licensed = connect(api.with(key))
    const { id } = await licensed.createWorkbook({ params, body: { name: unique('licensed') } })
    expect((await licensed.getWorkbook({ params: at(id) })).id).toBe(id)
    await expectRefusal(licensed.createWorkbook({ params: other, body: {} }), 'permission_missing')
    await expectRefusal(licensed.getWorkbooks({ params: other }), 'permission_missing')
  })

  test('is made by those alone who hold a role that makes content', async () => {
    const policies = [{ resourceType: 'Deployment', actions: ['DeploymentRead'], resources: ['All'] }]
    const reader = connect(api.with(await createKey(api, { policies })))
    await expectRefusal(reader.createWorkbook({ params }), 'permission_missing', /AIBIUser/)
    const upsert = reader.upsertWorkbookBySlug({ params: { ...params, slug: unique('new') } })
    await expectRefusal(upsert, 'permission_missing', /AIBIUser/)
    const { id } = await make()
    await expectRefusal(reader.duplicateWorkbook({ params: at(id) }), 'permission_missing', /AIBIUser/)
  })
})

describe('a slug', () => {
  test('is trimmed and lowercased, and one workbook has it', async () => {
    const slug = unique('slug')
    const [one, two] = [await make(), await make()]
    const changed = await admin.updateWorkbook({ params: at(one.id), body: { slug: `  ${slug.toUpperCase()} ` } })
    expect(changed.slug).toBe(slug)
    await expectRefusal(admin.updateWorkbook({ params: at(two.id), body: { slug } }), 'slug_taken')
    const taken = await admin.updateWorkbook({ params: at(two.id), body: { slug, slugTakeover: true } })
    expect([taken.slug, (await read(one.id)).slug]).toEqual([slug, null])
    await admin.updateWorkbook({ params: at(two.id), body: { slug: null } })
    expect((await admin.updateWorkbook({ params: at(one.id), body: { slug } })).slug).toBe(slug)
  })

  test.each(['a/b', ' ', 'a b', '-a', 'a?', '<script>'])('%j is refused', async slug => {
    const { id } = await make()
    await expectRefusal(admin.updateWorkbook({ params: at(id), body: { slug } }), 'invalid_request', /^slug: /)
  })

  test('is free in another deployment', async () => {
    const slug = unique('slug')
    const there = { deploymentId: await createDeployment(api), slug }
    const one = await admin.upsertWorkbookBySlug({ params: { ...params, slug } })
    const two = await admin.upsertWorkbookBySlug({ params: there })
    expect([one.slug, two.slug]).toEqual([slug, slug])
    expect(one.id).not.toBe(two.id)
  })
})

describe('upsert by slug', () => {
  test('makes a workbook, then changes what is sent and merges meta', async () => {
    const slug = unique('upsert')
    const key = { ...params, slug: slug.toUpperCase() }
    const draft = { widgets: [widget('a')] }
    const made = await admin.upsertWorkbookBySlug({
      params: key,
      body: { name: 'Made', meta: { a: 1, dashboardDraft: draft } },
    })
    expect(made).toMatchObject({ name: 'Made', slug, meta: { a: 1 } })
    const changed = await admin.upsertWorkbookBySlug({ params: key, body: { meta: { b: 2 } } })
    expect(changed).toMatchObject({ id: made.id, name: 'Made', meta: { a: 1, b: 2, dashboardDraft: draft } })
    const without = await admin.upsertWorkbookBySlug({ params: key, body: { meta: { dashboardDraft: null } } })
    expect([without.dashboardDraft, without.meta]).toEqual([null, { a: 1, b: 2 }])
  })

  test('sent again is no change at all, also where widgets came without ids', async () => {
    const key = { ...params, slug: unique('upsert') }
    const body = { name: 'Same', meta: { dashboardDraft: { widgets: [widget(null), widget('widget-1')] } } }
    const one = await admin.upsertWorkbookBySlug({ params: key, body })
    const two = await admin.upsertWorkbookBySlug({ params: key, body })
    expect(two).toEqual(one)
    expect(one.dashboardDraft?.widgets?.map(({ id }) => id)).toEqual(['widget-2', 'widget-1'])
  })

  test('raced by sixteen makes one workbook; the others are told to try again', async () => {
    const key = { ...params, slug: unique('race') }
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        api.put(`/api/v1/deployments/${key.deploymentId}/workbooks/by-slug/${key.slug}`, { name: `n${index}` }),
      ),
    )
    const ids = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => Number(body.id)))
    expect(ids.size).toBe(1)
    for (const { status, body } of answers) {
      if (status !== 200) expect([status, body.code]).toEqual([409, 'upsert_branch_changed'])
    }
    const { items } = await admin.getWorkbooks({ params })
    expect(items.filter(({ slug }) => slug === key.slug)).toHaveLength(1)
  })

  test('of a deployment that does not exist answers 404', async () => {
    const params = { deploymentId: 987_654_321, slug: 'a' }
    await expectRefusal(admin.upsertWorkbookBySlug({ params }), 'deployment_not_found')
  })
})

describe('the list of workbooks', () => {
  test('holds those of the folder asked for, and says how many there are', async () => {
    const deploymentId = await createDeployment(api)
    const names = ['a', 'b', 'c']
    for (const name of names) await admin.createWorkbook({ params: { deploymentId }, body: { name } })
    const list = (query: object) => admin.getWorkbooks({ params: { deploymentId }, query })
    const { items, data, count, pageInfo } = await list({ first: 2 })
    expect(items.map(({ name }) => name)).toEqual(['a', 'b'])
    expect([data, count, pageInfo.hasNextPage]).toEqual([items, 3, true])
    const next = await list({ first: 2, after: String(pageInfo.endCursor) })
    expect([next.items.map(({ name }) => name), next.count]).toEqual([['c'], 3])
    expect((await list({ folderId: 0 })).items).toHaveLength(3)
    await expectRefusal(list({ folderId: 987_654_321 }), 'folder_not_found')
    // Dashboards are read with their workbook.
    expect(Object.keys(items[0] ?? {})).not.toContain('publishedDashboard')
  })
})
