import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { programOf } from '../cli/hedron.ts'
import { createProject, enterDevMode, putFiles } from '../data-api/project.ts'
import { buildOf, createKey, eventually, sharedApi } from '../support/api.ts'
import { connect } from '../support/contract-client.ts'
import { contentsOf } from '../support/project.ts'

const page = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8')
const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
  language,
  code,
}))
const of = (wanted: string) => blocks.flatMap(({ language, code }) => (language === wanted ? [code] : []))
const [author = '', requests = '', evaluations = ''] = of('sh')
const [rule = '', certified = '', skill = ''] = of('md')
const [settings = '', spaces = '', questions = ''] = of('yaml')

/** What the page's examples speak of. */
const model = {
  'model/orders.yml': `cubes:
  - name: orders
    sql: SELECT 1 AS id, 10 AS amount, TIMESTAMP '2024-03-01' AS created_at UNION ALL SELECT 2, 20, TIMESTAMP '2024-04-01'
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: created_at, sql: created_at, type: time }
    measures:
      - { name: count, type: count }
      - { name: revenue, sql: amount, type: sum }
views:
  - name: orders_view
    cubes: [{ join_path: orders, includes: [count, revenue, created_at] }]
`,
}

const api = sharedApi()
let deploymentId: number
let folder: string
let environment: Readonly<Record<string, string>> = {}
beforeAll(async () => {
  deploymentId = await createProject(api, model)
  folder = await mkdtemp(join(tmpdir(), 'hedron-docs-'))
  environment = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    HEDRON_API_URL: api.baseUrl,
    HEDRON_API_KEY: await createKey(api),
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The page's commands on the test's deployment and server, in the place of the first ones. */
const here = (code: string) =>
  code
    .replaceAll(/^(hedron (?:data-model|evals|agents) [\w-]+|hedron (?:data-model )?\w+) 1\b/gm, `$1 ${deploymentId}`)
    .replaceAll('http://localhost:4000', api.baseUrl)
    .replaceAll('/deployments/1/', `/deployments/${deploymentId}/`)

async function shell(code: string): Promise<string> {
  const program = programOf()
    .map(part => `'${part}'`)
    .join(' ')
  const script = `hedron() { ${program} "$@"; }\n${code}`
  const options = { cwd: folder, env: environment, timeout: 120_000 }
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], options)
  return stdout
}

const client = connect(api)
const agentNames = async () =>
  (await client.listAgents({ params: { deploymentId } })).items.map(({ agentConfigName }) => agentConfigName)

/** Puts files on `main` as somebody else does. */
async function publish(files: Readonly<Record<string, string>>) {
  const colleague = api.with(await createKey(api))
  const branchName = await enterDevMode(colleague, deploymentId)
  await putFiles(colleague, deploymentId, branchName, files)
  const committed = await colleague.post(`/build/api/v1/deployments/${deploymentId}/commit`, {
    branchName,
    exitDevMode: true,
  })
  expect(committed.status).toBe(200)
  expect((await buildOf(api, deploymentId, 'main')).body).toMatchObject({ status: 'built' })
}

describe('docs/agents.md', () => {
  test('every block of the page is tried here', () => {
    expect(blocks.map(({ language }) => language)).toEqual(['sh', 'md', 'md', 'md', 'yaml', 'yaml', 'sh', 'yaml', 'sh'])
  })

  test('a rule is put, validated, committed and listed by its commands', async () => {
    const printed = await shell(here(author))
    expect(printed).toMatch(/auto +auto/)
    const query = { withContent: true, branchName: 'main' }
    const { items } = await client.listFiles({ params: { deploymentId }, query })
    const content = new Map(contentsOf(items)).get('agents/rules/refunds.md')
    expect(content).toContain('Refunds are never part of revenue.')
  })

  test('its files are taken as they stand: rule, query, skill, settings, spaces', async () => {
    const shared = {
      'agents/rules/returns.md': rule,
      'agents/certified_queries/revenue.md': certified,
      'agents/skills/weekly.md': skill,
    }
    const dev = api.with(await createKey(api))
    const branchName = await enterDevMode(dev, deploymentId)
    await putFiles(dev, deploymentId, branchName, { ...shared, 'agents/config.yml': settings })
    const validated = await connect(dev).validateDataModel({ params: { deploymentId }, query: { devMode: true } })
    expect(validated).toMatchObject({ valid: true, errors: [], warnings: [] })
    await publish({ ...shared, 'agents/config.yml': spaces })
    await eventually(agentNames, names => names.includes('seller'))
  })

  test('its requests are answered', async () => {
    const printed = await shell(`${here(requests).trimEnd().split('\n').join('\necho\n')}\n`)
    const answers = printed
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(answers).toMatchObject([
      { items: [{ agentConfigName: 'auto' }, { agentConfigName: 'seller' }] },
      { items: [] },
    ])
  })

  test('its evaluation runs and is graded by its commands', async () => {
    const ofSales = `space: sales
eval_questions: [{ name: revenue, question: What is revenue?, sql: SELECT MEASURE(revenue) FROM orders_view }]
`
    await publish({ 'agents/eval_questions.yml': questions, 'agents/eval_questions/revenue.yml': ofSales })
    const [first = '', second = '', status = '', results = ''] = here(evaluations).trimEnd().split('\n')
    expect(status).toContain('status')
    const printed = await shell(first)
    expect(printed).toMatch(/^Eval run \d+: 2\/2 passed\n/)
    const [, id = ''] = /^Eval run (\d+):/.exec(printed) ?? []
    expect(await shell(second)).toMatch(/^✓ Started eval run \d+ on main/)
    expect(await shell(status.replace(/ 7$/, ` ${id}`))).toContain('completed')
    expect(await shell(results.replace(/ 7$/, ` ${id}`))).toMatch(/pass +How many orders are there\?/)
  })
})
