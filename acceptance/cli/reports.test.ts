import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDeployment, createKey, type Json, sharedApi, unique } from '../support/api.ts'
import { createHedron, type Hedron } from './hedron.ts'

const api = sharedApi()
let hedron: Hedron
let id = ''
beforeAll(async () => {
  hedron = await createHedron({ baseUrl: api.baseUrl, apiKey: await createKey(api) })
  id = String(await createDeployment(api))
})
afterAll(() => hedron.dispose())

const made = async (...argv: readonly string[]): Promise<Json> => JSON.parse(await hedron.succeed(...argv))

describe('reports (cli-admin 3)', () => {
  let report = ''
  beforeAll(async () => {
    const { id: reportId } = await made('reports', 'create', id, '--name', 'Count', '--sql-query', 'SELECT 1')
    report = String(reportId)
  })

  test('update changes what is given, options before data, and leaves the rest', async () => {
    const jsonQuery = '{"measures":["numbers.count"]}'
    const file = join(hedron.folder, 'report.json')
    await writeFile(file, JSON.stringify({ name: 'Of the file', meta: { kind: 'table' } }))
    expect(await made('reports', 'update', id, report, '-d', `@${file}`, '--name', 'Flights')).toMatchObject({
      name: 'Flights',
      meta: { kind: 'table' },
      sqlQuery: 'SELECT 1',
    })
    expect(await hedron.json('reports', 'update', id, report, '--json-query', jsonQuery)).toMatchObject({
      name: 'Flights',
      jsonQuery,
    })
    const folder = await made('folders', 'create', id, '--name', unique('folder'))
    await made('reports', 'update', id, report, '--folder', String(folder.id))
    expect(await made('reports', 'get', id, report)).toMatchObject({ folderId: folder.id, name: 'Flights' })
    await made('reports', 'update', id, report, '--folder', '0')
    expect(await made('reports', 'get', id, report)).toMatchObject({ folderId: null })
    const invalid = await hedron.run('reports', 'update', id, report, '--json-query', '{')
    expect(invalid).toMatchObject({ exitCode: 1, stderr: 'error: --json-query is not valid JSON\n' })
    expect((await hedron.run('reports', 'update', id, '999999999', '--name', 'x')).stderr).toContain('not found (404)')
  })

  test('refresh notes that its rows were read again', async () => {
    const before = await made('reports', 'get', id, report)
    expect(before.refreshedBy).toBeNull()
    expect(await hedron.succeed('reports', 'refresh', id, report)).toBe(`✓ Refreshed report ${report}\n`)
    expect(await made('reports', 'get', id, report)).toMatchObject({ refreshedBy: before.userId })
    expect(await hedron.json('reports', 'refresh', id, report)).toMatchObject({
      id: before.id,
      refreshedBy: before.userId,
    })
  })

  test('connect-workbook notes its place in a spreadsheet, by which it is found', async () => {
    const sheet = unique('sheet')
    const place = ['--external-workbook-id', sheet, '--result-location', 'Sheet1!A1'] as const
    const connect = ['reports', 'connect-workbook', id, report] as const
    expect(await made(...connect, ...place, '--end-result-cell', 'C9')).toMatchObject({
      externalWorkbookPlacements: [{ workbookId: sheet, sheetName: 'Sheet1', anchorCell: 'A1' }],
    })
    expect(await hedron.json(...connect, ...place)).toMatchObject({ externalWorkbookId: sheet })
    expect(await hedron.succeed('reports', 'list', id, '--external-workbook', sheet)).toMatch(`${report} `)
    expect((await hedron.run(...connect, '--result-location', 'A1')).exitCode).toBe(2)
  })
})

describe('workbooks and what is shared of them (cli-admin 3)', () => {
  test('ai-thread connects a widget of the published dashboard with a thread', async () => {
    const workbook = String((await made('workbooks', 'create', id, '--name', unique('book'))).id)
    const widgets = [
      { id: 'w1', type: 'AI', position: { x: 0, y: 0, w: 4, h: 2 }, config: {} },
      { id: 'w2', type: 'TEXT', position: { x: 4, y: 0, w: 4, h: 2 }, config: { content: 'Hello' } },
    ]
    await made('workbooks', 'dashboard', id, workbook, '-d', JSON.stringify({ dashboardDraft: { widgets } }))
    const connect = (widget: string) =>
      ['workbooks', 'ai-thread', id, workbook, '--widget-id', widget, '--thread-id', 'thread-1'] as const
    expect((await hedron.run(...connect('w1'))).exitCode).toBe(1)
    const { publicId } = await made('workbooks', 'publish', id, workbook)
    expect(await made(...connect('w1'))).toBeTypeOf('object')
    expect(await hedron.json(...connect('w1'))).toBeTypeOf('object')
    const shown = Object(await made('embed', 'dashboard', String(publicId)))
    expect(shown.config.widgets).toMatchObject([{ id: 'w1', config: { threadId: 'thread-1' } }, { id: 'w2' }])
    expect(shown.config.widgets[1].config.threadId).toBeUndefined()
    const text = await hedron.run(...connect('w2'))
    expect(text.exitCode).toBe(1)
    expect(text.stderr).toContain('w2')
  })

  test('workspace shared lists what embed users get, and nothing else', async () => {
    const name = unique('shared')
    const workbook = await made('workbooks', 'create', id, '--name', name)
    await made('workbooks', 'create', id, '--name', unique('own'))
    expect(await hedron.run('workspace', 'shared', id)).toMatchObject({ stdout: '', stderr: 'No results\n' })
    await made(
      'api',
      'PUT',
      `/api/v1/deployments/${id}/workbooks/${workbook.id}/embed-access`,
      '-d',
      '{"allEmbedUsers":true,"action":"read"}',
    )
    const lines = (await hedron.succeed('workspace', 'shared', id)).trimEnd().split('\n')
    expect(lines).toEqual([
      expect.stringMatching(/^ID +TYPE +NAME +FOLDER +UPDATED/),
      expect.stringMatching(`^${workbook.id} +WORKBOOK +${name} `),
    ])
    expect(await hedron.json('workspace', 'shared', id, '--type', 'WORKBOOK', '--search', name)).toMatchObject({
      items: [{ id: workbook.id, type: 'WORKBOOK', name }],
    })
    expect(await hedron.run('workspace', 'shared', id, '--type', 'REPORT')).toMatchObject({ stderr: 'No results\n' })
  })
})

test('embed revoke ends a session: its token is refused from then on', async () => {
  const revoke = async (kind: 'people' | 'programs') => {
    const body = JSON.stringify({ deploymentId: Number(id), externalId: 'ada', embedTenantName: unique('tenant') })
    const session = (await hedron.succeed('embed', 'generate-session', '-d', body)).trim()
    const token = (await hedron.succeed('embed', 'token', '--session-id', session)).trim()
    const ask = () => fetch(`${api.baseUrl}/api/v1/users/me`, { headers: { authorization: `Embed-Token ${token}` } })
    expect((await ask()).status).not.toBe(401)
    const argv = ['embed', 'revoke', '--session-id', session] as const
    if (kind === 'people') expect(await hedron.succeed(...argv)).toBe('✓ Revoked the session\n')
    else expect(await hedron.json(...argv)).toEqual({ success: true })
    expect((await ask()).status).toBe(401)
  }
  await revoke('people')
  await revoke('programs')
  expect((await hedron.run('embed', 'revoke')).exitCode).toBe(2)
})
