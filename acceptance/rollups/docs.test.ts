import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { programOf } from '../cli/hedron.ts'
import { type Api, buildOf, createApi, createDeployment, createKey, eventually, tokenOf } from '../support/api.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'

const read = (page: string) => readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8')
const rollupsPage = read('rollups.md')
const sectionOf = (title: string) => rollupsPage.split(/^## /m).find(section => section.startsWith(title)) ?? ''
const blocksOf = (title: string, language: string) =>
  [...sectionOf(title).matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, of, code = '']) =>
    of === language ? [code] : [],
  )
/** With the deployment of the test in the place of the first one. */
const ofDeployment = (code: string, id: number) =>
  code.replaceAll(/^(\s*hedron (?:data-model|variables) [\w-]+) 1\b/gm, `$1 ${id}`)

let platform: RunningPlatform
let api: Api
let folder: string
let environment: Readonly<Record<string, string>> = {}
beforeAll(async () => {
  platform = await startPlatform({ environment: { HEDRON_DATA_RATE_LIMIT: '0' } })
  api = createApi(platform.baseUrl, platform.apiKey)
  folder = await mkdtemp(join(tmpdir(), 'hedron-docs-'))
  environment = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    HEDRON_API_URL: api.baseUrl,
    HEDRON_API_KEY: await createKey(api),
  }
})
afterAll(async () => {
  await platform.dispose()
  await rm(folder, { recursive: true, force: true })
})

async function shell(code: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const program = programOf()
    .map(part => `'${part}'`)
    .join(' ')
  const script = `hedron() { ${program} "$@"; }\n${code}`
  const options = { cwd: folder, env: { ...environment, ...more }, timeout: 60_000 }
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], options)
  return stdout
}

async function deploy(): Promise<number> {
  const id = await createDeployment(api)
  await buildOf(api, id)
  return id
}

/** Flights of a week, and as many more as are asked for a month later. */
async function writeFlights(id: number, more = 0): Promise<void> {
  const data = join(platform.dataDirectory, 'deployments', String(id), 'data')
  await mkdir(data, { recursive: true })
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const file = join(data, 'new.parquet')
  await connection.run(`COPY (
    SELECT ['AA', 'LH'][1 + range % 2] AS carrier, TIMESTAMP '2024-03-01' + INTERVAL 1 HOUR * range AS departed_at, range % 30 AS delay_minutes
    FROM range(168)
    UNION ALL SELECT 'AA', TIMESTAMP '2024-04-01' + INTERVAL 1 HOUR * range, 0 FROM range(${more})
  ) TO '${file}'`)
  connection.closeSync()
  instance.closeSync()
  await rename(file, join(data, 'flights.parquet'))
}

describe('docs/rollups.md', () => {
  const [model = ''] = blocksOf('An example', 'yaml')
  const [commit = '', load = ''] = blocksOf('An example', 'sh')
  const [lambda = ''] = blocksOf('With the newest rows', 'yaml')

  test('its example is answered from the rollup, explained, and built by a job', async () => {
    const id = await deploy()
    await writeFlights(id)
    const known = { URL: `${api.baseUrl}/data/${id}`, TOKEN: await tokenOf(api, id) }
    await writeFile(join(folder, 'flights.yml'), model)
    await shell(ofDeployment(commit, id))
    const answer = await eventually(
      () => shell(load, known),
      text => text.includes('"external":true'),
      30_000,
    )
    expect(answer).toContain('{"flights.carrier":"AA","flights.count":"84"}')
    const [explain = ''] = blocksOf('Why is it not used', 'sh')
    expect(await shell(explain, known)).toContain('rollups are built for UTC, and the query is in Asia/Kathmandu')
    const [jobs = ''] = blocksOf('Jobs', 'sh')
    const [variables = '', post = '', get = ''] = ofDeployment(jobs, id).split('\n\n')
    await shell(variables)
    const posted = await eventually(
      () => shell(post, known),
      text => !text.includes('API scope is missing'),
    )
    const [token = ''] = JSON.parse(posted)
    const done = await eventually(
      () => shell(get.replace('<token>', token), known),
      text => text.includes('"status":"done"'),
    )
    expect(done).toContain('"table":"flights_by_day')
  })

  test('its tools see the tables with the playground secret', async () => {
    const id = await deploy()
    await writeFlights(id)
    await writeFile(join(folder, 'flights.yml'), model)
    await shell(ofDeployment(commit, id))
    const [tools = ''] = blocksOf('Looking after them', 'sh')
    const known = { URL: `${api.baseUrl}/data/${id}`, SECRET: 'a-secret-that-is-long-enough-for-tools' }
    // Once: what is being built begins anew where variables change.
    const [variables = '', ...partitions] = ofDeployment(tools, id).split('\n\n')
    await shell(variables, known)
    const shown = await eventually(
      () => shell(partitions.join('\n\n'), known),
      text => text.includes('"versionEntries":[{"table_name":"flights_by_day'),
      90_000,
    )
    expect(shown).toContain('"structureVersion"')
  })

  test('its rollup_lambda has the newest rows', async () => {
    const id = await deploy()
    await writeFlights(id)
    const known = { URL: `${api.baseUrl}/data/${id}`, TOKEN: await tokenOf(api, id) }
    await writeFile(join(folder, 'flights.yml'), model.replace(/^ {4}pre_aggregations:.*/ms, lambda))
    await shell(ofDeployment(commit, id))
    const until = (flights: string) =>
      eventually(
        () => shell(load, known),
        text => text.includes('"external":true') && text.includes(`"flights.count":"${flights}"`),
        40_000,
      )
    await until('84')
    await writeFlights(id, 5)
    expect(await until('89')).toContain('{"flights.carrier":"LH","flights.count":"84"}')
  })
})

describe('docs/data-sources.md', () => {
  const commands = [...read('data-sources.md').matchAll(/^ {4}hedron (?:[^\n]*\\\n)*[^\n]*$/gm)].map(([code]) => code)

  test('each command sets the variables that it names', async () => {
    expect(commands.length).toBeGreaterThanOrEqual(8)
    await writeFile(
      join(folder, 'key.json'),
      JSON.stringify({ client_email: 'reader@my-project', private_key: 'a key' }),
    )
    const id = await deploy()
    for (const command of commands) {
      await shell(ofDeployment(command, id))
      const [type = ''] = /CUBEJS_DB_TYPE=[\w-]+/.exec(command) ?? []
      expect(await shell(`hedron variables list ${id}`)).toContain(type.replace('CUBEJS_DB_TYPE=', ''))
    }
  })
})
