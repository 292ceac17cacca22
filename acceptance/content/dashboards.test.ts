import { beforeAll, describe, expect, test } from 'vitest'
import { createDeployment, sharedApi } from '../support/api.ts'
import { connect, expectRefusal } from '../support/contract-client.ts'

const api = sharedApi()
const client = connect(api)
let params: { deploymentId: number }

beforeAll(async () => {
  params = { deploymentId: await createDeployment(api) }
})

const position = { x: 0, y: 0, w: 6, h: 4 }
const text = (id: string, content = 'Hello') => ({ id, type: 'TEXT' as const, position, config: { content } })
const chart = (id: string, reportId: number) => ({ id, type: 'CHART' as const, position, config: { reportId } })
const at = (workbookId: number) => ({ ...params, workbookId })
const make = async (dashboardDraft: object = {}) =>
  (await client.createWorkbook({ params, body: { name: 'Sales', meta: { dashboardDraft } } })).id
const publish = (workbookId: number, body: object = {}) =>
  client.publishDashboard({ params: at(workbookId), body: { workbookId, ...body } })
const report = async (workbookId: number, sqlQuery: string, meta: Record<string, unknown> = {}) =>
  (await client.createReport({ params, body: { workbookId, name: sqlQuery, sqlQuery, meta } })).id

describe('a draft', () => {
  test('is saved at its own route, seen in the workbook, and taken away by null', async () => {
    const id = await make()
    const draft = { title: 'Sales', widgets: [text('a')] }
    const saved = await client.updateWorkbookDashboard({ params: at(id), body: { dashboardDraft: draft } })
    expect(saved).toEqual({ dashboardDraft: draft, dashboardPublished: null })
    expect(await client.getWorkbook({ params: at(id) })).toMatchObject({
      dashboardDraft: draft,
      dashboardPublished: null,
      publishedDashboard: null,
      meta: { dashboardDraft: draft },
    })
    expect((await client.updateWorkbookDashboard({ params: at(id), body: {} })).dashboardDraft).toEqual(draft)
    await client.updateWorkbookDashboard({ params: at(id), body: { dashboardDraft: null } })
    expect((await client.getWorkbook({ params: at(id) })).dashboardDraft).toBeNull()
  })

  test('gives widgets without an id one of their own', async () => {
    const id = await make()
    const { dashboardDraft } = await client.updateWorkbookDashboard({
      params: at(id),
      body: { dashboardDraft: { widgets: [{ type: 'SPACER', position }, text('widget-1'), { type: 'AI', position }] } },
    })
    expect(dashboardDraft?.widgets?.map(({ id }) => id)).toEqual(['widget-2', 'widget-1', 'widget-3'])
  })

  const wide = { position: { ...position, x: 7 } }
  test.each([
    ['two widgets with one id', { widgets: [text('a'), text('a')] }, /widgets\[1\]\.id/],
    ['an unknown type', { widgets: [{ ...text('a'), type: 'SCRIPT' }] }, /widgets\[0\]\.type/],
    ['a widget outside the grid', { widgets: [{ ...text('a'), ...wide }] }, /12 columns/],
    ['a negative place', { widgets: [{ ...text('a'), position: { ...position, y: -1 } }] }, /position\.y/],
    ['half a column', { widgets: [{ ...text('a'), position: { ...position, w: 1.5 } }] }, /position\.w/],
    ['no place', { widgets: [{ id: 'a', type: 'TEXT' }] }, /position/],
    ['a long id', { widgets: [text('a'.repeat(129))] }, /widgets\[0\]\.id/],
    ['too many widgets', { widgets: Array.from({ length: 501 }, (_, n) => text(`w${n}`)) }, /widgets/],
    ['a key that it does not have', { title: 'x', script: 'x' }, /"script"/],
    ['a key of a prototype', { settings: { constructor: { prototype: 1 } } }, /constructor/],
    ['more than a megabyte', { widgets: [text('a', 'x'.repeat(1024 * 1024))] }, /1 MiB/],
    ['a theme that loads something', { theme: { backgroundColor: 'url(https://e.example/x)' } }, /backgroundColor/],
    ['a theme that ends its rule', { theme: { widgets: { padding: '0;} body{x:y' } } }, /padding/],
    ['a file outside the app', { kind: 'APP', app: { files: { '../x.js': '' } } }, /app\.files/],
  ])('with %s is refused wherever it is sent', async (_, draft, message) => {
    const id = await make({ title: 'before' })
    const path = `/api/v1/deployments/${params.deploymentId}/workbooks`
    for (const [method, address, body] of [
      ['PUT', `${path}/${id}/dashboard`, { dashboardDraft: draft }],
      ['PUT', `${path}/${id}`, { meta: { dashboardDraft: draft } }],
      ['POST', path, { meta: { dashboardDraft: draft } }],
      ['PUT', `${path}/by-slug/refused`, { meta: { dashboardDraft: draft } }],
      ['POST', `${path}/${id}/publish`, { workbookId: id, config: draft }],
    ] as const) {
      const answer = await api.request(method, address, body)
      expect([answer.status, answer.body.code], address).toEqual([400, 'invalid_request'])
      expect(String(answer.body.message)).toMatch(message)
    }
    expect((await client.getWorkbook({ params: at(id) })).dashboardDraft).toEqual({ title: 'before' })
  })
})

describe('publishing', () => {
  test('with only workbookId publishes the draft; again makes the next number at the same address', async () => {
    const id = await make({ title: 'One', widgets: [text('a')] })
    const one = await publish(id)
    expect(one).toMatchObject({
      workbookId: id,
      status: 'published',
      allowEmbed: false,
      versionNumber: 1,
      title: 'One',
    })
    expect(one.publicId).toMatch(/^[0-9A-Za-z]{12}$/)
    await client.updateWorkbookDashboard({ params: at(id), body: { dashboardDraft: { widgets: [text('b')] } } })
    expect((await client.getDashboard({ params: { publicId: one.publicId } })).config).toEqual(one.config)
    const two = await publish(id)
    expect(two).toMatchObject({ id: one.id, publicId: one.publicId, versionNumber: 2, title: 'One' })
    expect(two.versionId).not.toBe(one.versionId)
    expect(await client.getDashboard({ params: { publicId: one.publicId } })).toEqual(two)
    expect(await client.getWorkbook({ params: at(id) })).toMatchObject({
      dashboardPublished: two.config,
      publishedDashboard: { versionNumber: 2 },
    })
  })

  test('takes title, description, config and allowEmbed of the request, and leaves the draft alone', async () => {
    const id = await make({ title: 'draft' })
    const config = { widgets: [text('a')] }
    const published = await publish(id, { config, title: 'Title', description: 'Words', allowEmbed: true })
    expect(published).toMatchObject({ config, title: 'Title', description: 'Words', allowEmbed: true })
    expect((await client.getWorkbook({ params: at(id) })).dashboardDraft).toEqual({ title: 'draft' })
    expect((await publish(id, { title: null })).title).toBeNull()
  })

  test('keeps the reports as they are then', async () => {
    const id = await make()
    const meta = { kind: 'kpi', spec: { a: 1 }, pythonCode: 'print(1)', own: 1 }
    const reportId = await report(id, 'select 1', meta)
    const config = { widgets: [chart('a', reportId), text('b')] }
    const { publicId, reportSnapshots } = await publish(id, { config })
    expect(reportSnapshots).toMatchObject([
      { reportId, versionNumber: 1, sqlQuery: 'select 1', kind: 'kpi', spec: { a: 1 }, pythonCode: 'print(1)', meta },
    ])
    await client.updateReport({ params: { ...params, reportId }, body: { sqlQuery: 'select 2' } })
    const shown = () => client.getDashboard({ params: { publicId } })
    expect((await shown()).reportSnapshots).toEqual(reportSnapshots)
    await publish(id, { config })
    expect((await shown()).reportSnapshots[0]).toMatchObject({ sqlQuery: 'select 2', versionNumber: 2 })
    await client.deleteReport({ params: { ...params, reportId } })
    expect((await shown()).reportSnapshots[0]).toMatchObject({ reportId, sqlQuery: 'select 2' })
    await expectRefusal(publish(id, { config }), 'dashboard_report_missing', /Widget "a"/)
  })

  test('a report of another workbook is refused, and nothing is published', async () => {
    const [id, other] = [await make(), await make()]
    const foreign = await report(other, 'select 1')
    await expectRefusal(publish(id, { config: { widgets: [chart('a', foreign)] } }), 'dashboard_report_missing')
    expect((await client.getWorkbook({ params: at(id) })).publishedDashboard).toBeNull()
  })

  test('without a draft, for another workbook or another dashboard is refused', async () => {
    const { id } = await client.createWorkbook({ params, body: {} })
    await expectRefusal(publish(id), 'dashboard_draft_missing')
    await expectRefusal(publish(id, { workbookId: 1 }), 'invalid_request', /workbookId/)
    await expectRefusal(publish(id, { config: {}, dashboardId: 1 }), 'dashboard_not_found')
    const { id: dashboardId } = await publish(id, { config: {} })
    expect((await publish(id, { config: {}, dashboardId })).versionNumber).toBe(2)
  })

  test('twelve at once have the numbers 1 to 12', async () => {
    const id = await make({ widgets: [text('a')] })
    const published = await Promise.all(Array.from({ length: 12 }, () => publish(id)))
    const numbers = published.map(({ versionNumber }) => versionNumber).sort((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: 12 }, (_, index) => index + 1))
    expect(new Set(published.map(({ publicId }) => publicId)).size).toBe(1)
    const { publishedDashboard } = await client.getWorkbook({ params: at(id) })
    expect(publishedDashboard?.versionNumber).toBe(12)
  })

  test('gives markup in titles and texts back as text, exactly as it was written', async () => {
    const evil = `<img src=x onerror=alert(1)><script>alert(2)</script>[x](javascript:alert(3))'"\u202e`
    const id = await make({ title: evil, description: evil, widgets: [text('a', evil)] })
    await client.updateWorkbook({ params: at(id), body: { name: evil } })
    const { publicId } = await publish(id)
    const response = await fetch(`${api.baseUrl}/api/v1/embed/dashboard/${publicId}`, {
      headers: { authorization: `Api-Key ${api.apiKey}` },
    })
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await response.json()).toMatchObject({
      title: evil,
      description: evil,
      config: { widgets: [{ config: { content: evil } }] },
    })
    expect((await client.getWorkbook({ params: at(id) })).name).toBe(evil)
  })
})

describe('the thread of an AI widget', () => {
  test('shows in the published dashboard until that is published again', async () => {
    const widgets = [text('a'), { ...text('b'), type: 'AI' as const }, { ...text('c'), type: 'AI' as const }]
    const id = await make({ widgets })
    const set = (widgetId: string, threadId: string, checksum?: string) =>
      client.updatePublishedDashboardAiWidgetThread({
        params: at(id),
        body: { widgetId, threadId, ...(checksum === undefined ? {} : { checksum }) },
      })
    await expectRefusal(set('b', 'x'), 'dashboard_not_published')
    const one = await publish(id)
    await Promise.all([set('b', 'thread-b', 'sum'), set('c', 'thread-c')])
    const shown = await client.getDashboard({ params: { publicId: one.publicId } })
    expect(shown.config.widgets?.map(({ config }) => config?.threadId)).toEqual([undefined, 'thread-b', 'thread-c'])
    expect(shown).toMatchObject({
      versionId: one.versionId,
      config: { widgets: [{}, { config: { checksum: 'sum' } }, {}] },
    })
    await expectRefusal(set('a', 'x'), 'widget_not_found')
    await expectRefusal(set('none', 'x'), 'widget_not_found')
    expect((await publish(id)).config).toEqual(one.config)
  })
})

describe('a copy of a workbook', () => {
  test('has copies of the reports, and shows those in its draft and its published dashboard', async () => {
    const id = await make()
    const reportId = await report(id, 'select 1', { kind: 'table' })
    const draft = { widgets: [chart('a', reportId), { ...text('b'), config: { deep: [{ reportIds: [reportId] }] } }] }
    await client.updateWorkbook({
      params: at(id),
      body: { meta: { own: 1, dashboardDraft: draft }, slug: `copied-${id}` },
    })
    const original = await publish(id, { allowEmbed: true, title: 'Title' })
    const copy = await client.duplicateWorkbook({ params: at(id) })
    expect(copy).toMatchObject({ name: 'Copy of Sales', slug: null, meta: { own: 1 }, folderId: null })
    const { items } = await client.getReports({ params, query: { workbookId: copy.id } })
    expect(items).toMatchObject([{ sqlQuery: 'select 1', meta: { kind: 'table' }, workbookId: copy.id }])
    const [copied] = items
    expect(copied?.id).not.toBe(reportId)
    const expected = JSON.parse(
      JSON.stringify(draft).replaceAll(`:${reportId}`, `:${copied?.id}`).replaceAll(`[${reportId}]`, `[${copied?.id}]`),
    )
    expect(copy.dashboardDraft).toEqual(expected)
    expect(copy.publishedDashboard).toMatchObject({
      allowEmbed: false,
      versionNumber: 1,
      title: 'Title',
      config: expected,
      reportSnapshots: [{ reportId: copied?.id, sqlQuery: 'select 1' }],
    })
    expect(copy.publishedDashboard?.publicId).not.toBe(original.publicId)
    // It can be published as it is, and the original is as before.
    expect((await client.publishDashboard({ params: at(copy.id), body: { workbookId: copy.id } })).versionNumber).toBe(
      2,
    )
    expect((await client.getWorkbook({ params: at(id) })).dashboardDraft).toEqual(draft)
  })

  test('goes where the original is for who may put things there; its name ends at 255 characters', async () => {
    const { id: folderId } = await client.createFolder({ params, body: { name: 'Copies' } })
    const { id } = await client.createWorkbook({ params, body: { name: 'n'.repeat(255), folderId } })
    const copy = await client.duplicateWorkbook({ params: at(id) })
    expect(copy).toMatchObject({ folderId, folderPath: [{ id: folderId, name: 'Copies' }] })
    expect(copy.name).toBe(`Copy of ${'n'.repeat(247)}`)
  })

  test('is shared: true in creator mode alone', async () => {
    const id = await make()
    await expectRefusal(client.duplicateWorkbook({ params: at(id), body: { shared: true } }), 'creator_mode_required')
  })
})
