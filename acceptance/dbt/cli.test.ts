import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createHedron, type Hedron } from '../cli/hedron.ts'
import { createDeployment, sharedApi } from '../support/api.ts'

const manifest = fileURLToPath(new URL('fixtures/shop-manifest.json', import.meta.url))

let hedron: Hedron
let id: string
beforeAll(async () => {
  hedron = await createHedron({ baseUrl: inject('baseUrl'), apiKey: inject('apiKey') })
  id = String(await createDeployment(sharedApi()))
})
afterAll(() => hedron?.dispose())

test('sync --wait --json is one document with branch and result; the branch validates', async () => {
  const document = (await hedron.json('dbt', 'sync', id, '--manifest', manifest, '--wait')) as Record<string, unknown>
  expect(document).toMatchObject({ status: 'COMPLETED', error: null, result: { cubeCount: 5 } })
  expect(Object.keys(document)).toEqual(['branchName', 'error', 'result', 'status', 'syncJobId', 'workflowId'])
  expect(String(document.branchName)).toMatch(/^dbt-sync\/shop-/)
  const job = String(document.syncJobId)
  expect(await hedron.succeed('dbt', 'status', id, job)).toBe('COMPLETED 100%\n')
  expect(await hedron.succeed('dbt', 'result', id, job)).toContain('✓ Generated 5 cube(s) in 5 file(s)')
  expect(await hedron.succeed('dbt', 'logs', id, job)).toMatch(/\[convert \d+m?s\] done/)
  const history = await hedron.succeed('dbt', 'history', id, '--status', 'COMPLETED')
  expect(history.split('\n')[0]).toMatch(/^SYNC JOB ID +STATUS +TRIGGER +SOURCE +STARTED +DURATION +BRANCH *$/)
  expect(history).toContain(job)
  const cancelled = await hedron.run('dbt', 'cancel', id, job)
  expect(cancelled.exitCode).toBe(1)
})

test('a failed sync is one document too, and ends with 1', async () => {
  const empty = join(hedron.folder, 'empty.json')
  const document = JSON.parse(await readFile(manifest, 'utf8'))
  await writeFile(empty, JSON.stringify({ ...document, nodes: {} }))
  const { exitCode, stdout, stderr } = await hedron.run('dbt', 'sync', id, '--manifest', empty, '--wait', '--json')
  expect(exitCode).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({
    status: 'FAILED',
    result: null,
    error: expect.stringContaining('no dbt models'),
  })
  expect(stderr).toContain('See which phase failed with')
})

test('a sync that was cancelled is CANCELLED in the history, and a failure with its reason to who asks or waits', async () => {
  const { server, port } = await listen()
  const other = String(await createDeployment(sharedApi()))
  await hedron.succeed('variables', 'set', other, `HEDRON_DBT_REPOSITORY=http://127.0.0.1:${port}/shop.git`)
  const waiting = hedron.start('dbt', 'sync', other, '--wait', '--json', '--poll', '1s')
  const job = await waiting.said(/dbt sync (\S+) started on/)
  expect(await hedron.succeed('dbt', 'cancel', other, job)).toBe(`✓ Cancelled dbt sync ${job}\n`)
  const { exitCode, stdout, stderr } = await waiting.ended
  expect(exitCode).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({
    syncJobId: job,
    status: 'FAILED',
    error: expect.stringContaining('cancelled'),
  })
  expect(stderr).toMatch(/error: dbt sync \S+ failed: .*cancelled/)
  const status = await hedron.run('dbt', 'status', other, job, '--wait')
  expect(status.exitCode).toBe(1)
  expect(status.stderr).toContain('cancelled')
  expect(await hedron.json('dbt', 'status', other, job)).toMatchObject({ status: 'FAILED' })
  const shown = await hedron.run('dbt', 'status', other, job)
  expect(shown).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^FAILED/) })
  expect(shown.stderr).toContain('cancelled')
  expect(await hedron.succeed('dbt', 'history', other, '--status', 'CANCELLED')).toMatch(
    new RegExp(`^${job} +CANCELLED`, 'm'),
  )
  server.close()
})

test('the history has at most 100 on a page whatever is asked for, is followed by its cursor, and knows statuses and triggers as they are written', async () => {
  const other = String(await createDeployment(sharedApi()))
  const document = JSON.parse(await readFile(manifest, 'utf8'))
  const body = { source: 'manifest', manifest: { ...document, nodes: {} } }
  for (let started = 0; started < 101; started += 1) {
    expect((await sharedApi().post(`/api/v1/deployments/${other}/dbt-sync`, body)).status).toBe(200)
  }
  const page = Object(await hedron.json('dbt', 'history', other, '--first', '500'))
  expect(page.items).toHaveLength(100)
  expect(page.pageInfo.hasNextPage).toBe(true)
  const rest = Object(await hedron.json('dbt', 'history', other, '--after', page.pageInfo.endCursor))
  expect(rest.items).toHaveLength(1)
  expect(rest.pageInfo.hasNextPage).toBe(false)
  const table = await hedron.succeed('dbt', 'history', other, '--trigger', 'api', '--first', '1000')
  expect(table.trimEnd().split('\n')).toHaveLength(101)
  for (const [option, value] of [
    ['--status', 'failed'],
    ['--status', 'Failed'],
    ['--trigger', 'API'],
  ] as const) {
    const refused = await hedron.run('dbt', 'history', other, option, value)
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain(`${option.slice(2)}: must be one of `)
  }
  for (const status of ['RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'UNKNOWN']) {
    expect((await hedron.run('dbt', 'history', other, '--status', status)).exitCode).toBe(0)
  }
  for (const trigger of ['manual', 'webhook', 'agent', 'unknown']) {
    expect((await hedron.run('dbt', 'history', other, '--trigger', trigger)).stderr).toBe('No results\n')
  }
})

test('generate writes the cubes here, and --check finds what differs', async () => {
  const out = join(hedron.folder, 'project')
  const argv = ['dbt', 'generate', id, '--manifest', manifest, '--out', out]
  expect(await hedron.succeed(...argv)).toContain(`✓ wrote 5 generated file(s) under ${out}`)
  expect(await hedron.succeed(...argv, '--check')).toContain('✓ all 5 generated file(s) match')
  await writeFile(join(out, 'model/cubes/dbt/dbt_orders.yml'), 'cubes: []\n')
  const checked = await hedron.run(...argv, '--check', '--json')
  expect(checked.exitCode).toBe(1)
  expect(JSON.parse(checked.stdout)).toMatchObject({
    outcome: 'differing',
    differing: [{ path: 'model/cubes/dbt/dbt_orders.yml', status: 'differs' }],
  })
})

test.each([
  ['--ref', ''],
  ['--manifest', ' '],
  ['--branch', ''],
])('%s %j is refused before anything is sent', async (option, value) => {
  expect((await hedron.run('dbt', 'sync', id, option, value)).exitCode).toBe(2)
})

/** Takes connections and never answers. */
async function listen() {
  const server = createServer(() => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it listens nowhere')
  return { server, port: address.port }
}
