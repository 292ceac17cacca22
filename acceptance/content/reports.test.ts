import { beforeAll, describe, expect, test } from 'vitest'
import { createDeployment, createKey, sharedApi, unique } from '../support/api.ts'
import { connect, expectRefusal } from '../support/contract-client.ts'
import { openSession, uniqueTenant } from '../support/embedding.ts'

const admin = sharedApi()
const client = connect(admin)
let params: { deploymentId: number }
const at = (reportId: number) => ({ ...params, reportId })

beforeAll(async () => {
  params = { deploymentId: await createDeployment(admin) }
})

const create = (body: Parameters<typeof client.createReport>[0]['body'] = {}) => client.createReport({ params, body })
const newPublicId = () =>
  unique('r')
    .replace(/[^0-9A-Za-z]/g, '')
    .padEnd(12, 'x')
    .slice(0, 12)

describe('a report', () => {
  test('without anything sent has a name, a public id, a version and its owner', async () => {
    const report = await create()
    const me = await client.getMe({})
    expect(report).toMatchObject({
      name: 'Untitled report',
      version: 1,
      userId: me.id,
      canEdit: true,
      canManage: true,
      type: 'REPORT',
    })
    expect(report.publicId).toMatch(/^[0-9A-Za-z]{12}$/)
    expect(report.user).toMatchObject({ id: me.id, email: me.email })
    expect(report.refreshedByUser).toEqual(report.user)
    expect(report.refreshedBy).toBeNull()
    expect(await client.getReport({ params: at(report.id) })).toEqual(report)
  })

  test('comes back as it was written', async () => {
    const body = {
      name: ' <script>alert(1)</script> ',
      title: '"><img src=x onerror=alert(1)>',
      description: '[x](javascript:alert(1))',
      jsonQuery: '{ "measures": ["orders.count"] }',
      sqlQuery: 'select 1 as "one" -- kept',
      pivotItems: { columns: ['a.b'], rows: [], measures: ['a.c'], filters: [], displayScale: 'thousands' as const },
      meta: {
        kind: 'vega' as const,
        spec: { mark: 'bar', encoding: { x: { field: 'a' } } },
        preferences: { columnFormats: { 'a.c': { type: 'percent' as const, decimalPlaces: 1 } } },
        periodComparisons: [{ measure: 'a.c', timeDimension: 'a.t', offset: { amount: -1, unit: 'year' } }],
        ofTheClient: { kept: [1, null, 'x'] },
      },
      source: 'PLAYGROUND' as const,
    }
    expect(await create(body)).toMatchObject(body)
  })

  test('changes by what is sent alone; null empties; a null name is not sent', async () => {
    const { id } = await create({ name: 'a', title: 'b', sqlQuery: 'select 1' })
    const { updatedAt } = await client.getReport({ params: at(id) })
    expect(await client.updateReport({ params: at(id), body: { title: 'c' } })).toMatchObject({
      name: 'a',
      title: 'c',
      sqlQuery: 'select 1',
      version: 1,
    })
    const cleared = await client.updateReport({ params: at(id), body: { title: null, name: null } })
    expect(cleared).toMatchObject({ name: 'a', title: null })
    expect(cleared.updatedAt > updatedAt).toBe(true)
  })

  test('counts a version, with a new checksum, for each change of what it asks', async () => {
    const { id, currentQueryChecksum: first } = await create({ jsonQuery: '{"measures":["a.b"]}' })
    const update = (body: object) => client.updateReport({ params: at(id), body })
    expect(await update({ name: 'n', meta: { kind: 'table' } })).toMatchObject({
      version: 1,
      currentQueryChecksum: first,
    })
    const second = await update({ jsonQuery: '{"measures":["a.c"]}' })
    expect(second.version).toBe(2)
    expect(second.currentQueryChecksum).not.toBe(first)
    expect(await update({ pivotItems: { columns: [], rows: [], measures: [], filters: [] } })).toMatchObject({
      version: 3,
    })
    expect(await update({ pivotItems: { filters: [], measures: [], rows: [], columns: [] } })).toMatchObject({
      version: 3,
    })
  })

  test('is deleted by who manages it, and then is not there', async () => {
    const { id } = await create()
    expect(await client.deleteReport({ params: at(id) })).toEqual({ success: true })
    await expectRefusal(client.getReport({ params: at(id) }), 'report_not_found')
    await expectRefusal(client.deleteReport({ params: at(id) }), 'report_not_found')
    await expectRefusal(client.updateReport({ params: at(id), body: {} }), 'report_not_found')
  })
})

describe('public ids', () => {
  test('may be supplied, once in the account', async () => {
    const publicId = newPublicId()
    expect((await create({ publicId })).publicId).toBe(publicId)
    await expectRefusal(create({ publicId }), 'public_id_taken')
    const elsewhere = { deploymentId: await createDeployment(admin) }
    await expectRefusal(client.createReport({ params: elsewhere, body: { publicId } }), 'public_id_taken')
    await expectRefusal(
      client.upsertReportByPublicId({ params: { ...elsewhere, publicId }, body: {} }),
      'public_id_taken',
    )
  })

  test('of the form of a placeholder are refused with 400', async () => {
    await expectRefusal(create({ publicId: '000000000042' }), 'public_id_reserved')
    await expectRefusal(
      client.upsertReportByPublicId({ params: { ...params, publicId: '000000000042' }, body: {} }),
      'public_id_reserved',
    )
  })

  test.each(['short', 'thirteen-long', 'with spaces ', 'exclamation!', ''])(
    'that are %j are refused with 400',
    async publicId => {
      await expectRefusal(create({ publicId }), 'invalid_request', /12 characters/)
    },
  )

  test('are write-once: changing one is 400, sending the same again is nothing', async () => {
    const { id, publicId } = await create()
    await expectRefusal(client.updateReport({ params: at(id), body: { publicId: newPublicId() } }), 'public_id_fixed')
    expect(await client.updateReport({ params: at(id), body: { publicId } })).toMatchObject({ publicId })
  })
})

describe('upsert by public id', () => {
  const upsert = (publicId: string, body: object) =>
    client.upsertReportByPublicId({ params: { ...params, publicId }, body })

  test('makes the report, then changes it, and the same request again changes nothing', async () => {
    const publicId = newPublicId()
    const body = { name: 'u', sqlQuery: 'select 1', source: 'EXCEL', externalWorkbookId: 'wb', resultLocation: 'S!A1' }
    const made = await upsert(publicId, body)
    expect(made).toMatchObject({ publicId, name: 'u', source: 'EXCEL', version: 1 })
    expect(await upsert(publicId, body)).toEqual(made)
    const changed = await upsert(publicId, { sqlQuery: 'select 2', source: 'GOOGLE_SHEETS' })
    expect(changed).toMatchObject({ id: made.id, name: 'u', version: 2, source: 'EXCEL' })
  })

  test('refuses another publicId in the body', async () => {
    await expectRefusal(upsert(newPublicId(), { publicId: newPublicId() }), 'invalid_request', /publicId/)
  })

  test('by many at once makes one report; who lost is told to send it again', async () => {
    const publicId = newPublicId()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) => upsert(publicId, { name: `n${index}` })),
    )
    const ids = outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value.id] : []))
    expect(new Set(ids).size).toBe(1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        expect(outcome.reason).toMatchObject({ status: 409, code: 'upsert_branch_changed' })
      }
    }
  })
})

describe('what a report asks', () => {
  test.each([
    ['no JSON', '{', /JSON/],
    ['no object', '7', /object/],
    ['a part that no query has', '{"measure":["a.b"]}', /"measure" is not allowed/],
    ['a member that is no name', '{"measures":["drop table"]}', /measures\[0\]/],
    ['too much', JSON.stringify({ measures: Array.from({ length: 1001 }, () => 'a.b') }), /1000 items/],
    ['nesting without end', `${'['.repeat(5000)}${']'.repeat(5000)}`, /deeper/],
    ['more queries than one request may', JSON.stringify(Array.from({ length: 101 }, () => ({}))), /up to 100/],
  ])('jsonQuery with %s is refused with 400', async (_, jsonQuery, message) => {
    await expectRefusal(create({ jsonQuery }), 'report_query_invalid', message)
  })

  test.each([
    ['no SQL', 'selec 1', /syntax error.*line 1/],
    ['several statements', 'select 1; select 2', /one statement/],
    ['a change of data', 'delete from orders', /not supported/],
    ['an EXPLAIN', 'explain select 1', /SELECT/],
    ['nesting without end', `select ${'('.repeat(500)}1${')'.repeat(500)}`, /deep/],
  ])('sqlQuery with %s is refused with 400', async (_, sqlQuery, message) => {
    await expectRefusal(create({ sqlQuery }), 'report_query_invalid', message)
  })

  test('several queries to blend, and an empty text for none, are taken', async () => {
    const jsonQuery = '[{"measures":["a.b"]},{"measures":["a.c"]}]'
    expect(await create({ jsonQuery, sqlQuery: '' })).toMatchObject({ jsonQuery, sqlQuery: null })
  })
})

describe('placements', () => {
  const place = (id: number, body: object) =>
    client.connectReportToWorkbook({
      params: at(id),
      body: { externalWorkbookId: 'wb', resultLocation: 'Sheet1!A1', ...body },
    })
  const remove = (id: number, body: object) => client.disconnectReportFromWorkbook({ params: at(id), body })

  test('are made by connecting, which changes nothing else', async () => {
    const before = await create({ sqlQuery: 'select 1' })
    const after = await place(before.id, {
      host: 'EXCEL',
      workbookName: 'Book',
      sheetId: '7',
      resultLocation: "'My ''own'''!$B$2:C9",
    })
    expect(after.externalWorkbookPlacements).toMatchObject([
      {
        workbookId: 'wb',
        workbookName: 'Book',
        host: 'EXCEL',
        sheetId: '7',
        sheetName: "My 'own'",
        anchorCell: 'B2',
        syncStatus: 'UP_TO_DATE',
        placedByUserId: before.userId,
      },
    ])
    expect(after).toMatchObject({
      externalWorkbookId: 'wb',
      updatedAt: before.updatedAt,
      version: 1,
      name: before.name,
    })
  })

  test('at the same place are one, elsewhere another; one is removed and the rest stay', async () => {
    const { id } = await create()
    await place(id, {})
    await place(id, { endResultCell: 'C9' })
    await place(id, { resultLocation: 'Sheet1!D1' })
    const three = await place(id, { externalWorkbookId: 'other' })
    expect(three.externalWorkbookPlacements).toHaveLength(3)
    const two = await remove(id, { externalWorkbookId: 'wb', sheetName: 'Sheet1', anchorCell: 'd1' })
    expect(two.externalWorkbookPlacements.map(({ workbookId, anchorCell }) => [workbookId, anchorCell])).toEqual([
      ['wb', 'A1'],
      ['other', 'A1'],
    ])
    const [first] = two.externalWorkbookPlacements
    const one = await remove(id, { placementId: first?.id })
    expect(one.externalWorkbookPlacements).toHaveLength(1)
  })

  test('that match nothing are removed with success and without change', async () => {
    const { id } = await create()
    const before = await place(id, { sheetId: '7' })
    for (const target of [
      {},
      { placementId: 'unknown' },
      { externalWorkbookId: 'wb' },
      { externalWorkbookId: 'wb', sheetName: 'Sheet1' },
      { externalWorkbookId: 'wb', anchorCell: 'A1', sheetId: '7' },
      { externalWorkbookId: 'wb', resultLocation: 'Sheet1!A1', sheetId: '8' },
      { sheetName: 'Sheet1', anchorCell: 'A1' },
    ]) {
      expect(await remove(id, target)).toEqual(before)
    }
    const after = await remove(id, { externalWorkbookId: 'wb', resultLocation: 'Sheet1!A1' })
    expect(after).toMatchObject({ externalWorkbookPlacements: [], externalWorkbookId: null, resultLocation: null })
  })

  test('are out of date once the query changes, and up to date once refreshed', async () => {
    const { id } = await create({ sqlQuery: 'select 1' })
    await place(id, { placementId: 'mine' })
    const status = (report: { externalWorkbookPlacements: { syncStatus: string | null }[] }) =>
      report.externalWorkbookPlacements.map(({ syncStatus }) => syncStatus)
    expect(status(await client.updateReport({ params: at(id), body: { sqlQuery: 'select 2' } }))).toEqual(['CHANGED'])
    const moved = await place(id, { placementId: 'mine', resultLocation: 'Sheet2!B2', addressOnly: true })
    expect(status(moved)).toEqual(['CHANGED'])
    const resultChecksum = { v: 1, chunks: [{ from: 0, hash: 'abc' }] }
    const fresh = await client.refreshReport({ params: at(id), body: { placementId: 'mine', resultChecksum } })
    expect(status(fresh)).toEqual(['UP_TO_DATE'])
    expect(fresh.externalWorkbookPlacements[0]).toMatchObject({ resultChecksum, sheetName: 'Sheet2', anchorCell: 'B2' })
    expect(fresh.refreshedBy).toBe(fresh.userId)
    expect(fresh.version).toBe(2)
  })

  test('at once by many are all there', async () => {
    const { id } = await create()
    await Promise.all(Array.from({ length: 10 }, (_, index) => place(id, { resultLocation: `Sheet1!A${index + 1}` })))
    expect((await client.getReport({ params: at(id) })).externalWorkbookPlacements).toHaveLength(10)
  })

  test('facts of a placement without its place are refused', async () => {
    await expectRefusal(create({ host: 'EXCEL' }), 'invalid_request', /host .*externalWorkbookId/)
  })
})

describe('the list of reports', () => {
  const names = ['alpha', 'Beta', 'gamma', 'delta', 'epsilon']
  let here: { deploymentId: number }

  beforeAll(async () => {
    here = { deploymentId: await createDeployment(admin) }
    for (const name of names) {
      await client.createReport({
        params: here,
        body: {
          name,
          title: `T-${name}%`,
          ...(name === 'gamma' ? { externalWorkbookId: 'wb', resultLocation: 'S!A1' } : {}),
        },
      })
    }
  })
  const list = (query: Parameters<typeof client.getReports>[0]['query'] = {}) =>
    client.getReports({ params: here, query })
  const named = ({ items }: { items: { name: string }[] }) => items.map(({ name }) => name)

  test('has what changed last first, counts all, and data mirrors items', async () => {
    const all = await list()
    expect(named(all)).toEqual(names.toReversed())
    expect(all.count).toBe(5)
    expect(all.data).toEqual(all.items)
  })

  test.each([
    ['name', 'ASC'],
    ['name', 'DESC'],
    ['createdAt', 'ASC'],
    ['updatedAt', 'DESC'],
  ] as const)('by %s %s is the same in pages of two by cursor and by number', async (sortBy, sortDirection) => {
    const whole = named(await list({ sortBy, sortDirection }))
    const byCursor: string[] = []
    let after: string | undefined
    do {
      const page = await list({ sortBy, sortDirection, first: 2, ...(after ? { after } : {}) })
      byCursor.push(...named(page))
      after = page.pageInfo?.hasNextPage ? (page.pageInfo.endCursor ?? undefined) : undefined
    } while (after)
    expect(byCursor).toEqual(whole)
    const numbered = await Promise.all([1, 2, 3].map(page => list({ sortBy, sortDirection, limit: 2, page })))
    expect(numbered.flatMap(named)).toEqual(whole)
    expect(numbered[0]?.count).toBe(5)
  })

  test('by lastViewedAt has what the caller looked at last first, and no cursors', async () => {
    const [, second] = (await list()).items
    await client.getReport({ params: { ...here, reportId: second?.id ?? 0 } })
    const viewed = await list({ sortBy: 'lastViewedAt' })
    expect(viewed.items[0]?.id).toBe(second?.id)
    expect(viewed.pageInfo).toBeNull()
    const { pageInfo } = await list({ first: 1 })
    const after = pageInfo?.endCursor ?? ''
    await expectRefusal(list({ sortBy: 'lastViewedAt', after }), 'invalid_request', /no cursors/)
  })

  test('is searched in names and titles, whatever their case, without wildcards', async () => {
    expect(named(await list({ search: 'BETA' }))).toEqual(['Beta'])
    expect(named(await list({ search: 't-EPS' }))).toEqual(['epsilon'])
    expect(named(await list({ search: '%' }))).toHaveLength(5)
    expect(named(await list({ search: '_' }))).toEqual([])
  })

  test('of one spreadsheet has the reports placed there', async () => {
    expect(named(await list({ externalWorkbookId: 'wb' }))).toEqual(['gamma'])
    expect(named(await list({ externalWorkbookId: 'w' }))).toEqual([])
  })

  test('refuses a cursor of another order or list, and both kinds of page', async () => {
    const { pageInfo } = await list({ first: 1 })
    const after = pageInfo?.endCursor ?? ''
    await expectRefusal(list({ sortBy: 'name', after }), 'cursor_invalid')
    await expectRefusal(list({ sortDirection: 'ASC', after }), 'cursor_invalid')
    await expectRefusal(client.getDeployments({ query: { after } }), 'cursor_invalid')
    await expectRefusal(list({ page: 1, first: 1 }), 'invalid_request')
    const forged = Buffer.from(JSON.stringify(['reports', 'updatedAt desc', '0000-01-01T00:00:00Z', 1])).toString(
      'base64url',
    )
    expect(named(await list({ after: forged }))).toEqual([])
  })
})

describe('who may what', () => {
  const keyed = async (actions: readonly string[]) =>
    connect(
      admin.with(
        await createKey(admin, {
          policies: [{ resourceType: 'Deployment', actions, resources: [String(params.deploymentId)] }],
        }),
      ),
    )

  test('making one needs a role that makes content, reading one a role that reads it', async () => {
    const reader = await keyed(['AIBIView'])
    await expectRefusal(reader.createReport({ params, body: {} }), 'permission_missing', /AIBIUser/)
    await expectRefusal(
      reader.upsertReportByPublicId({ params: { ...params, publicId: newPublicId() }, body: {} }),
      'permission_missing',
      /AIBIUser/,
    )
    const none = await keyed(['SchemaRead'])
    await expectRefusal(none.getReports({ params }), 'permission_missing')
    const maker = await keyed(['AIBIUser'])
    expect((await maker.createReport({ params, body: { name: 'mine' } })).canManage).toBe(true)
  })

  test('a report is of its deployment: another one has none of that id', async () => {
    const { id } = await create()
    const elsewhere = { deploymentId: await createDeployment(admin), reportId: id }
    await expectRefusal(client.getReport({ params: elsewhere }), 'report_not_found')
    await expectRefusal(client.updateReport({ params: elsewhere, body: { name: 'x' } }), 'report_not_found')
    await expectRefusal(client.deleteReport({ params: elsewhere }), 'report_not_found')
    await expectRefusal(client.refreshReport({ params: elsewhere }), 'report_not_found')
  })

  test('an embed viewer whom it is shared with reads it without its people, its code and its spreadsheets', async () => {
    const body = {
      sqlQuery: 'select 1',
      externalWorkbookId: 'wb',
      resultLocation: 'S!A1',
      meta: { kind: 'table' as const, pythonCode: 'print(1)', note: 'kept' },
    }
    const { id, publicId } = await create(body)
    const session = await openSession(admin, { ...params, externalId: unique('viewer') })
    const viewer = connect({ baseUrl: session.baseUrl, apiKey: session.token }, 'Embed-Token')
    await expectRefusal(viewer.getReport({ params: at(id) }), 'report_not_found')
    const { id: userId } = await viewer.getMe({})
    const share = { resourceType: 'Report', resourceId: id, userId } as const
    await client.setUserPolicy({ body: { ...share, action: 'ReportManage' } })
    const shown = await viewer.getReport({ params: at(id) })
    expect(shown).toMatchObject({
      sqlQuery: 'select 1',
      meta: { kind: 'table', note: 'kept' },
      user: null,
      userId: null,
      refreshedByUser: null,
      externalWorkbookId: null,
      externalWorkbookPlacements: [],
      rolesWithAccess: [],
      canEdit: false,
      canManage: false,
    })
    expect(JSON.stringify(shown)).not.toMatch(/pythonCode|"wb"/)
    expect(await viewer.getReports({ params })).toMatchObject({ items: [shown], count: 1 })
    await expectRefusal(viewer.updateReport({ params: at(id), body: { name: 'x' } }), 'content_level_missing')
    await expectRefusal(viewer.deleteReport({ params: at(id) }), 'content_level_missing')
    await expectRefusal(viewer.refreshReport({ params: at(id) }), 'content_read_only')
    await expectRefusal(
      viewer.connectReportToWorkbook({ params: at(id), body: { externalWorkbookId: 'x', resultLocation: 'S!A1' } }),
      'content_read_only',
    )
    await expectRefusal(
      viewer.upsertReportByPublicId({ params: { ...params, publicId }, body: { name: 'x' } }),
      'content_level_missing',
    )
    await client.setUserPolicy({ body: share })
    await expectRefusal(viewer.getReport({ params: at(id) }), 'report_not_found')
  })

  test('in an embed tenant a share says what a colleague may: read it, change it, delete it', async () => {
    const tenant = uniqueTenant()
    const creator = async () => {
      const externalId = unique('creator')
      const session = await openSession(admin, { ...params, externalId, creatorMode: true, embedTenantName: tenant })
      return connect({ baseUrl: session.baseUrl, apiKey: session.token }, 'Embed-Token')
    }
    const [ada, ben] = await Promise.all([creator(), creator()])
    const { id } = await ada.createReport({ params, body: { name: 'hers' } })
    const { id: userId } = await ben.getMe({})
    const share = (action: 'ReportRead' | 'ReportEdit' | 'ReportManage') =>
      ada.setUserPolicy({ body: { resourceType: 'Report', resourceId: id, userId, action } })
    const rename = () => ben.updateReport({ params: at(id), body: { name: unique('his') } })

    await expectRefusal(rename(), 'report_not_found')
    await share('ReportRead')
    await expectRefusal(rename(), 'content_level_missing', /edit access/)
    expect(await ben.refreshReport({ params: at(id) })).toMatchObject({ refreshedBy: userId, canEdit: false })
    await share('ReportEdit')
    expect(await rename()).toMatchObject({ canEdit: true, canManage: false })
    await expectRefusal(ben.deleteReport({ params: at(id) }), 'content_level_missing', /manage access/)
    await share('ReportManage')
    expect(await ben.deleteReport({ params: at(id) })).toEqual({ success: true })
  })

  test('a folder or workbook that is not there is refused by name', async () => {
    await expectRefusal(create({ folderId: 987_654_321 }), 'folder_not_found')
    await expectRefusal(create({ workbookId: 987_654_321 }), 'workbook_not_found')
    const { id } = await create()
    await expectRefusal(client.updateReport({ params: at(id), body: { folderId: 987_654_321 } }), 'folder_not_found')
  })
})
