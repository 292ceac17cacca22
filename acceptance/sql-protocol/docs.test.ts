import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildOf, createApi, createDeployment, tokenOf } from '../support/api.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'
import { sqlPort } from './sql-platform.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const page = readFileSync(join(root, 'docs/sql-api.md'), 'utf8')
const commands = [...page.matchAll(/^```(bash|js)\n(.*?)^```$/gms)].map(([, language, code = '']) => ({
  language,
  code,
}))
const [request, filtered, psql, program] = commands.map(({ code }) => code)

let platform: RunningPlatform
let environment: Readonly<Record<string, string>> = {}
beforeAll(async () => {
  platform = await startPlatform({ environment: { HEDRON_SQL_PORT: '0' } })
  const api = createApi(platform.baseUrl, platform.apiKey)
  const id = await createDeployment(api)
  await buildOf(api, id)
  environment = {
    PATH: process.env.PATH ?? '',
    HEDRON_API_KEY: platform.apiKey,
    HEDRON_SQL_PORT: String(await sqlPort(api, id)),
    DEPLOYMENT: String(id),
    DEPLOYMENT_URL: `${platform.baseUrl}/data/${id}`,
    TOKEN: await tokenOf(api, id),
  }
})
afterAll(() => platform?.dispose())

async function run(file: string, ...parameters: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(file, parameters, { cwd: root, env: environment, timeout: 60_000 })
  return stdout
}

test('every command of docs/sql-api.md is tried here', () => {
  expect(commands.map(({ language }) => language)).toEqual(['bash', 'bash', 'bash', 'js'])
})

test('its requests are answered as the page shows', async () => {
  const shown = [...page.matchAll(/^```json lines\n(.*?)\n(\{"data".*?)\n```$/gms)]
  expect(shown).toHaveLength(2)
  for (const [at, command] of [request, filtered].entries()) {
    const lines = (await run('bash', '-euo', 'pipefail', '-c', command ?? '')).trim().split('\n')
    const [, head = '', rows = ''] = shown[at] ?? []
    const { lastRefreshTime: _, ...first } = JSON.parse(head)
    expect(lines.map(line => JSON.parse(line))).toEqual([expect.objectContaining(first), JSON.parse(rows)])
  }
})

test('psql connects with its command', async () => {
  const printed = await run('bash', '-euo', 'pipefail', '-c', psql ?? '')
  expect(printed).toMatch(/example_orders/)
  expect(printed).toMatch(/processed \| +2/)
})

test("Node's client connects with its program", async () => {
  expect(await run(process.execPath, '--input-type=module', '-e', program ?? '')).toContain(
    "[ { status: 'processed', orders: '2' } ]",
  )
})
