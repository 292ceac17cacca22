import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { buildOf, createDeployment, sharedApi, tokenOf } from '../support/api.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const page = readFileSync(join(root, 'docs/data-api.md'), 'utf8')

/** The only command of a section of the page. */
function commandOf(section: string): string {
  const [, text = ''] = new RegExp(`^## ${section}\\n(.*?)(?=^## |$(?![^]))`, 'ms').exec(page) ?? []
  const commands = [...text.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, code = '']) => code)
  const [only] = commands
  if (only === undefined || commands.length > 1) throw new Error(`${section} has ${commands.length} commands`)
  return only
}

const api = sharedApi()
let environment: Readonly<Record<string, string>> = {}
beforeAll(async () => {
  const id = await createDeployment(api)
  await buildOf(api, id)
  const own = { DEPLOYMENT_URL: `${api.baseUrl}/data/${id}`, TOKEN: await tokenOf(api, id) }
  environment = { PATH: process.env.PATH ?? '', ...own }
})

/** Runs a command until it has printed what is waited for. */
async function printed(program: string, parameters: readonly string[], wanted: RegExp): Promise<string> {
  const child = spawn(program, parameters, { cwd: root, env: environment })
  let output = ''
  let complaints = ''
  try {
    return await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`it printed ${output}${complaints}`)), 60_000)
      const read = (chunk: Buffer) => {
        output += chunk
        if (wanted.test(output)) resolve(output)
      }
      child.stdout.on('data', read)
      child.stderr.on('data', chunk => {
        complaints += chunk
      })
      child.once('close', code => {
        clearTimeout(timer)
        reject(new Error(`it ended with ${code} and printed ${output}${complaints}`))
      })
    })
  } finally {
    child.kill('SIGKILL')
  }
}

test('the GraphQL command of docs/data-api.md answers', async () => {
  const answer = await printed('bash', ['-euo', 'pipefail', '-c', commandOf('GraphQL')], /\}\}$/)
  expect(JSON.parse(answer).data).toEqual({
    cube: expect.arrayContaining([{ example_orders: { count: 2, status: 'processed' } }]),
  })
})

test('the subscription of docs/data-api.md is told its result', async () => {
  const parameters = ['--input-type=module', '-e', commandOf('Web socket')]
  expect(await printed(process.execPath, parameters, /\]/)).toContain("[ { 'example_orders.count': '3' } ]")
})
