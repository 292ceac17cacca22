import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { buildOf, createDeployment, createKey, sharedApi, tokenOf } from '../support/api.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const page = readFileSync(join(root, 'docs/data-api.md'), 'utf8')
const [, section = ''] = /^## Ways to connect\n(.*?)^## /ms.exec(page) ?? []
/** Commands by the line above them. */
const blocks = [...section.matchAll(/^([^\n]+)\n\n```(\w+)\n(.*?)^```$/gms)].map(
  ([, title = '', language, code = '']) => ({
    title,
    language,
    code,
  }),
)
const blockOf = (start: string) => {
  const found = blocks.find(({ title }) => title.startsWith(start))
  if (!found) throw new Error(`the page has no command for "${start}": ${blocks.map(({ title }) => title).join(' | ')}`)
  return found.code
}

const api = sharedApi()
let environment: Readonly<Record<string, string>> = {}
beforeAll(async () => {
  const id = await createDeployment(api)
  await buildOf(api, id)
  environment = {
    PATH: process.env.PATH ?? '',
    HEDRON_API_URL: api.baseUrl,
    HEDRON_API_KEY: await createKey(api),
    DEPLOYMENT: String(id),
    DEPLOYMENT_URL: `${api.baseUrl}/data/${id}`,
    TOKEN: await tokenOf(api, id),
  }
})

async function run(program: string, ...parameters: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, parameters, { cwd: root, env: environment, timeout: 60_000 })
  return stdout
}
const shell = (code: string) => run('bash', '-euo', 'pipefail', '-c', code)

test('every way to connect is tried here', () => {
  expect(blocks.map(({ language }) => language)).toEqual(['sh', 'sh', 'js', 'sh'])
})

test('with a token of the platform, by POST and by GET', async () => {
  const printed = await shell(blockOf('A token of the platform'))
  expect(printed).toContain('{"example_orders.status":"processed","example_orders.total_amount":"300"}')
  expect(printed).toContain('"data":[{"example_orders.total_amount":"400"}]')
})

test("with the field's client", async () => {
  const code = blockOf("The field's JavaScript client")
  expect(await run(process.execPath, '--input-type=module', '-e', code)).toContain("'example_orders.count': '3'")
})

test('as a gate in CI, with curl alone, again and again', async () => {
  const gate = blockOf('A gate in CI')
  for (let round = 0; round < 2; round++) {
    expect(await shell(gate)).toContain('"data":[{"refunds.total":"7"}]')
  }
  const broken = gate.replace('type: sum', 'type: nothing')
  expect(broken).not.toBe(gate)
  await expect(shell(broken)).rejects.toMatchObject({ code: 1 })
})

test('with a token that a back end signs', async () => {
  expect(await shell(blockOf('A token of your own back end'))).toContain('"name":"example_orders"')
})
