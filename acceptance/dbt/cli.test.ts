import { readFile, writeFile } from 'node:fs/promises'
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
