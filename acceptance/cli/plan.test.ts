import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDeployment, createKey, load, sharedApi } from '../support/api.ts'
import { createHedron, type Hedron } from './hedron.ts'

const api = sharedApi()
let ada: Hedron
let id = ''
let project = ''
let totals = 0
let board = 0

const model = (amount: string, more = '') => `cubes:
  - name: numbers
    sql: SELECT 1 AS id, 5 AS amount, 'a' AS kind UNION ALL SELECT 2, 7, 'b'
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: kind, sql: kind, type: string }
    measures:
      - { name: count, type: count }
      - { name: total, sql: ${amount}, type: sum }
${more}`

const put = async (path: string, content: string) => {
  await mkdir(dirname(join(project, path)), { recursive: true })
  await writeFile(join(project, path), content)
}
const deploy = (...argv: readonly string[]) => ada.run('deploy', id, '--directory', project, ...argv)
const report = async (name: string, measures: readonly string[], more: object = {}): Promise<number> => {
  const query = JSON.stringify({ measures, ...more })
  const workbook = Object(JSON.parse(await ada.succeed('workbooks', 'create', id, '--name', `Book of ${name}`)))
  const created = JSON.parse(
    await ada.succeed(
      'reports',
      'create',
      id,
      '--name',
      name,
      '--workbook',
      String(workbook.id),
      '--json-query',
      query,
    ),
  )
  return Number(created.id)
}

beforeAll(async () => {
  ada = await createHedron({ baseUrl: api.baseUrl, apiKey: await createKey(api) })
  id = String(await createDeployment(api, { deployMode: 'cli' }))
  project = join(ada.folder, 'project')
  await ada.succeed('variables', 'set', id, 'CUBEJS_DB_TYPE=duckdb')
  await put('model/numbers.yml', model('amount', '      - { name: old, type: count }\n'))
  await put(
    'model/other.yml',
    'cubes:\n  - name: other\n    sql: SELECT 1 AS id\n    measures:\n      - { name: count, type: count }\n',
  )
  await deploy('--wait', '--poll', '1s')
  totals = await report('Totals', ['numbers.total'], { dimensions: ['numbers.kind'] })
  await report('Counts', ['numbers.count'])
  await report('Old', ['numbers.old'])
  board = Object(JSON.parse(await ada.succeed('workbooks', 'create', id, '--name', 'Board'))).id
  await ada.succeed('reports', 'update', id, String(totals), '-d', JSON.stringify({ workbookId: board }))
  const widget = { id: 'w1', type: 'CHART', position: { x: 0, y: 0, w: 4, h: 2 }, config: { reportId: totals } }
  const draft = JSON.stringify({ dashboardDraft: { widgets: [widget] } })
  await ada.succeed('workbooks', 'dashboard', id, String(board), '-d', draft)
  await ada.succeed('workbooks', 'publish', id, String(board))
})
afterAll(() => ada.dispose())

const state = async () => {
  const { body } = await api.get(`/build/api/v1/deployments/${id}/branches`)
  return JSON.stringify(body.items)
}

describe('deploy --plan', () => {
  test('names files, members, reports and numbers that would change, and writes nothing', async () => {
    await put('model/numbers.yml', model('amount * 2', '      - { name: most, sql: amount, type: max }\n'))
    await put('model/new.yml', 'cubes: []\n')
    const before = await state()
    const { stdout, exitCode } = await deploy('--plan')
    expect(exitCode).toBe(0)
    expect(stdout).toContain('  + model/new.yml\n  ~ model/numbers.yml\n')
    expect(stdout).toMatch(/Members\n {2}\+ numbers\.most\n {2}~ numbers\.total\n {2}- numbers\.old\n/)
    expect(stdout).toMatch(/report \d+ Totals: numbers\.total\n/)
    expect(stdout).toMatch(/report \d+ Old: numbers\.old \(removed\)\n/)
    expect(stdout).not.toContain('Counts')
    expect(stdout).toContain(`Dashboards that show these\n  workbook ${board} Board: report ${totals}\n`)
    expect(stdout).toMatch(/numbers\.kind=a +numbers\.total +5 +10\n/)
    expect(stdout).toMatch(/numbers\.kind=b +numbers\.total +7 +14\n/)
    expect(stdout).toContain('fails now')
    expect(stdout).toContain('2 queries compared: 1 other numbers, 1 fails now')
    expect(await state()).toBe(before)

    const document = Object(await ada.json('deploy', id, '--directory', project, '--plan'))
    expect(document).toMatchObject({
      branchName: 'main',
      members: { added: ['numbers.most'], changed: ['numbers.total'], removed: ['numbers.old'], affected: [] },
      valid: true,
      numbers: [
        {
          status: 'different',
          differences: [
            { before: '5', after: '10' },
            { before: '7', after: '14' },
          ],
        },
        { status: 'broken' },
      ],
    })
    const planned = await load(api, Number(id), { measures: ['numbers.total'] }, { branch: document.planName })
    expect(planned.body.data).toEqual([{ 'numbers.total': '24' }])
    const forged = document.planName.replace(/^plan-./, (start: string) => (start === 'plan-0' ? 'plan-1' : 'plan-0'))
    expect((await load(api, Number(id), { measures: ['numbers.total'] }, { branch: forged })).status).toBe(404)
  })

  test('a model that would not compile is shown with its mistakes and ends with 1', async () => {
    await put('model/broken.yml', 'cubes:\n  - name: broken\n    sql_tabel: x\n')
    const { stdout, stderr, exitCode } = await deploy('--plan')
    expect(exitCode).toBe(1)
    expect(stdout).toContain('The model would not compile\n  model/broken.yml: line ')
    expect(stderr).toContain('error: data model on main has')
    await rm(join(project, 'model/broken.yml'))
  })
})

test('a deploy over what others changed since is refused, names the files, and goes with --force', async () => {
  await deploy('--wait', '--poll', '1s')
  const grace = await createHedron({ baseUrl: api.baseUrl, apiKey: await createKey(api) })
  try {
    await grace.succeed('data-model', 'dev-mode', id, 'main')
    await grace.succeed('data-model', 'put', id, 'model/other.yml', '--content', 'cubes: []\n')
    await grace.succeed('data-model', 'commit', id, '-m', 'Others')
    const refused = await deploy('--json')
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain('branch main moved since this folder was deployed to it: model/other.yml')
    expect(JSON.parse(refused.stderr.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      error: { code: 'branch_moved' },
    })
    expect(await grace.succeed('data-model', 'get', id, 'model/other.yml', '--branch', 'main')).toBe('cubes: []\n')
    expect((await deploy('--force')).exitCode).toBe(0)
    expect(await grace.succeed('data-model', 'get', id, 'model/other.yml', '--branch', 'main')).toContain('name: other')
  } finally {
    await grace.dispose()
  }
})

test('merge-to-default --plan shows what production would get, and leaves the branch where it is', async () => {
  await ada.succeed('data-model', 'create-branch', id, 'threefold')
  await ada.succeed('data-model', 'dev-mode', id, 'threefold')
  await ada.succeed('data-model', 'put', id, 'model/numbers.yml', '--content', model('amount * 3', ''))
  await ada.succeed('data-model', 'commit', id, '-m', 'Threefold')
  await ada.succeed('data-model', 'exit-dev-mode', id)
  const before = await state()
  const plan = await ada.succeed('data-model', 'merge-to-default', id, '--branch', 'threefold', '--plan')
  expect(plan).toContain('~ model/numbers.yml')
  expect(plan).toMatch(/~ numbers\.total\n {2}- numbers\.most\n/)
  expect(plan).toMatch(/numbers\.kind=a +numbers\.total +10 +15\n/)
  expect(plan).toContain(`report ${totals} Totals: numbers.total\n`)
  expect(plan).toContain(`workbook ${board} Board: report ${totals}\n`)
  expect(await state()).toBe(before)
  const itself = await ada.run('data-model', 'merge-to-default', id, '--branch', 'main', '--plan')
  expect(itself.stderr).toContain('main')
  expect(itself.exitCode).toBe(1)
})
