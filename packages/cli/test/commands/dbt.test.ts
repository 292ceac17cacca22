import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { durationText, statusLabel } from '../../src/dbt/texts.ts'
import { page, refusal } from '../support/fixtures.ts'
import { useBench } from '../support/run-hedron.ts'

// The published edge cases of the reference client: contract/cli-core.md section 18.
const bench = useBench()
const place = '/api/v1/deployments/7/dbt-sync'
const started = { syncJobId: 'j', workflowId: 'w', branchName: 'dbt-sync/main-1' }
const completed = { syncJobId: 'j', status: 'COMPLETED ', progress: {}, error: null }
const notFound = refusal(404, 'not_found', 'not there')

const manifest = async () => {
  const path = join(bench.folder, 'manifest.json')
  await writeFile(path, '{"nodes":{}}')
  return path
}

describe('18.2 sync', () => {
  test.each([
    [[], '{}'],
    [['--ref', 'v1'], '{"ref":"v1"}'],
    [['--branch', ' b '], '{"branchName":" b "}'],
  ])('%j sends %s, as older servers know it', async (argv, body) => {
    bench.server.on(`POST ${place}`, { body: started })
    const { stdout, stderr } = await bench.run(['dbt', 'sync', '7', ...argv])
    expect(bench.server.log()).toEqual([`POST ${place} ${body}`])
    expect(stdout).toContain('✓ Started dbt sync j on dbt-sync/main-1\n')
    expect(stdout.includes('delete-branch')).toBe(!argv.includes('--branch'))
    expect(stderr).toBe('')
  })

  test.each([
    ['not found among them', page([]), 'dbt sync j was not found among the 100 most recent syncs'],
    ['another source', page([{ syncJobId: 'j', source: 'git' }]), "reported source 'git' instead of 'manifest'"],
    ['no source', page([{ syncJobId: 'j', source: ' ' }]), 'did not report a source at all'],
  ])('a manifest is verified: %s', async (_, history, reason) => {
    bench.server.on(`POST ${place}`, { body: started })
    bench.server.on(`GET ${place}`, { body: history })
    const result = await bench.run(['dbt', 'sync', '7', '--manifest', await manifest(), '--wait'])
    expect(bench.server.log()).toEqual([
      `POST ${place} {"source":"manifest","manifest":{"nodes":{}}}`,
      `GET ${place}?first=100`,
    ])
    expect(result).toMatchObject({ exitCode: 1, stdout: '' })
    expect(result.stderr).toContain("Cancel the in-flight sync with 'hedron dbt cancel 7 'j''")
    expect(result.stderr).toContain(reason)
  })

  test.each([
    ['[]', 'must be a JSON object'],
    ['{', 'is not valid JSON'],
  ])('the manifest %s is refused before a request', async (text, reason) => {
    const { stderr } = await bench.run(['dbt', 'sync', '7', '--manifest', '-'], { input: text })
    expect(stderr).toContain(`dbt manifest from stdin ${reason}`)
    expect(bench.server.requests).toHaveLength(0)
  })
})

describe('18.3 sync --wait', () => {
  const wait = ['dbt', 'sync', '7', '--wait', '--json']

  test('is not visible at first, ends with padding, has no result at first: one document', async () => {
    bench.server.on(`POST ${place}`, { body: { ...started, branchName: ' b' } })
    bench.server.on(`GET ${place}/j`, [notFound, { body: { status: 'QUEUED' } }, { body: completed }])
    bench.server.on(`GET ${place}/j/result`, [notFound, { body: {} }, { body: [] }, { body: { cubeCount: 1 } }])
    const { exitCode, stdout, stderr } = await bench.run(wait)
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      branchName: ' b',
      error: null,
      result: { cubeCount: 1 },
      status: 'COMPLETED',
      syncJobId: 'j',
      workflowId: 'w',
    })
    expect(stderr).toContain('dbt sync: starting\ndbt sync: QUEUED\n')
    expect(stderr).toContain('dbt sync result: result not available yet\n')
  })

  test('a failure is a document too; a reason that is blank is said to be none', async () => {
    bench.server.on(`POST ${place}`, { body: started })
    bench.server.on(`GET ${place}/j`, { body: { status: 'FAILED', error: ' ' } })
    const { exitCode, stdout, stderr } = await bench.run(wait)
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ status: 'FAILED', result: null, error: ' ' })
    expect(stderr).toContain(
      "dbt sync j failed: (no reason reported). See which phase failed with 'hedron dbt logs 7 'j''",
    )
    expect(stderr).not.toContain('delete-branch')
  })

  test('a result that never comes does not undo the sync', async () => {
    bench.server.on(`POST ${place}`, { body: started })
    bench.server.on(`GET ${place}/j`, { body: completed })
    bench.server.on(`GET ${place}/j/result`, notFound)
    const { exitCode, stdout, stderr } = await bench.run(wait)
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ status: 'COMPLETED', result: null })
    expect(stderr).toContain('its result could not be read. The sync itself succeeded')
  })

  test('what is absent for a minute is not there; an unknown status is waited through', async () => {
    bench.server.on(`GET ${place}/j`, notFound)
    const absent = await bench.run(['dbt', 'status', '7', 'j', '--wait'])
    expect(absent.stderr).toContain('no dbt sync j on deployment 7. It may belong to another deployment')
    bench.server.on(`GET ${place}/j`, { body: { status: 'completed' } })
    const unknown = await bench.run(['dbt', 'status', '7', 'j', '--wait', '--timeout', '2m'])
    expect(unknown.stderr).toContain('timed out after 120s waiting for dbt sync (last seen: completed)')
  })
})

test.each([
  [
    {
      status: 'COMPILING_DBT',
      progress: { stage: 'COMPILING_DBT', percentComplete: 50, message: 'Parsing dbt project' },
    },
    'COMPILING_DBT 50% — Parsing dbt project',
  ],
  [{ status: 'FINALIZING', progress: { stage: 'COMPLETED', percentComplete: '100' } }, 'FINALIZING (COMPLETED) 100%'],
  [{ status: ' INITIALIZING ', progress: { stage: ' ' } }, 'INITIALIZING'],
  [{ status: 'A', progress: { message: 'two\n lines' } }, 'A — two lines'],
  [{ status: 'A', progress: { message: 'x'.repeat(500) } }, `A — ${'x'.repeat(120)}…`],
])('18.4 the label of %j', (document, label) => expect(statusLabel(document)).toBe(label))

test.each([
  [999, '999ms'],
  [59_999, '59s'],
  [60_000, '1m 0s'],
  ['912345.0', '15m 12s'],
  [5_400_000, '1h 30m'],
  [' ', ''],
  [-1, '-1'],
  ['PT15M', 'PT15M'],
  ['1e30', '1e30'],
  ['inf', 'inf'],
  [null, ''],
])('18.10 the duration %j is %j', (value, shown) => expect(durationText(value)).toBe(shown))

describe('18.5 and 18.6', () => {
  test.each([{ body: null }, { body: {} }, { body: [] }, notFound])('the result %j is none yet', async answer => {
    bench.server.on(`GET ${place}/j/result`, answer)
    const { exitCode, stderr } = await bench.run(['dbt', 'result', '7', 'j'])
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: "error: no result for dbt sync j yet — check 'hedron dbt status 7 'j''\n",
    })
  })

  test('a result without files is one', async () => {
    bench.server.on(`GET ${place}/j/result`, { body: { generatedFiles: [] } })
    expect((await bench.run(['dbt', 'result', '7', 'j'])).stdout).toContain('in 0 file(s)')
  })

  test('a status is shown whatever it is, with exit code 0', async () => {
    bench.server.on(`GET ${place}/j`, { body: { status: 'FAILED', error: 'x' } })
    expect(await bench.run(['dbt', 'status', '7', 'j'])).toMatchObject({ exitCode: 0, stdout: 'FAILED\n' })
    expect((await bench.run(['dbt', 'status', '7', 'j', '--poll', '1s'])).exitCode).toBe(2)
  })
})

describe('18.7 generate', () => {
  const generate = async (...argv: readonly string[]) =>
    bench.run(['dbt', 'generate', '7', '--manifest', await manifest(), '--out', join(bench.folder, 'out'), ...argv])
  const serve = (files: unknown, answer: object = { ...started, branchName: '' }) => {
    bench.server.on(`POST ${place}`, { body: answer })
    bench.server.on(`GET ${place}`, { body: page([{ syncJobId: 'j', source: 'manifest' }]) })
    bench.server.on(`GET ${place}/j`, { body: completed })
    bench.server.on(`GET ${place}/j/generated-files`, [notFound, { body: files }])
  }

  test('asks for files and never a branch; an older server that made one is named', async () => {
    serve({ items: [] }, started)
    const { stderr } = await generate()
    expect(bench.server.log()).toEqual([`POST ${place} {"source":"manifest","output":"files","manifest":{"nodes":{}}}`])
    expect(stderr).toContain('writes to the branch dbt-sync/main-1')
  })

  test('writes, matches, and tells what differs and what is missing', async () => {
    const files = ['a', 'b'].map(name => ({ path: `model/${name}.yml`, content: `${name}\n` }))
    serve({ items: files })
    const written = await generate('--json')
    expect(JSON.parse(written.stdout)).toMatchObject({
      fileCount: 2,
      outcome: 'written',
      files: files.map(it => it.path),
    })
    expect(await readFile(join(bench.folder, 'out/model/a.yml'), 'utf8')).toBe('a\n')
    expect((await generate('--check')).stdout).toBe('✓ all 2 generated file(s) match what is committed\n')
    await writeFile(join(bench.folder, 'out/model/a.yml'), 'A\n')
    const { stdout, exitCode } = await generate('--check', '--json')
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'differing',
      differing: [{ path: 'model/a.yml', status: 'differs' }],
    })
  })

  test.each([
    [{ items: [{ path: 'a.yml' }] }, 'returned a file with no content (a.yml)'],
    [{}, 'returned a file with no content'],
    [null, 'generated no cubes'],
    [[], 'generated no cubes'],
  ])('%j is refused, with a document that says so', async (files, reason) => {
    serve(files)
    const { exitCode, stdout, stderr } = await generate('--json')
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'failed', fileCount: 0, files: [] })
    expect(stderr).toContain(reason)
  })
})

describe('18.8 and 18.9', () => {
  test('lines of a log: phase and duration, raw entries, failures in red, no control characters', async () => {
    bench.server.on(`GET ${place}/j/logs`, {
      body: page([
        { timestamp: 't1', phase: 'dbt-parse', durationMs: 1200, level: 'info', message: 'done\u001b[2J \n' },
        { timestamp: 't2', phase: null, level: ' Error ', message: 'broken' },
        { level: 'fatal', other: 1 },
      ]),
    })
    expect((await bench.run(['dbt', 'logs', '7', 'j'])).stdout).toBe(
      't1 [dbt-parse 1s] done[2J\nt2 broken\n{"level":"fatal","other":1}\n',
    )
    const coloured = (await bench.run(['dbt', 'logs', '7', 'j'], { terminal: true })).stdout
    expect(coloured).toContain('\u001b[36m[dbt-parse 1s]\u001b[0m')
    expect(coloured).toContain('\u001b[31mbroken\u001b[0m')
    expect(coloured).toContain('\u001b[31m{"level":"fatal","other":1}\u001b[0m')
  })

  test('an empty log and an empty history say so beside the result', async () => {
    bench.server.on(`GET ${place}/j/logs`, { body: page([]) })
    expect(await bench.run(['dbt', 'logs', '7', 'j'])).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: 'No log entries\n',
    })
    bench.server.on(`GET ${place}`, { body: page([]) })
    expect(await bench.run(['dbt', 'ls', '7', '--status', ' FAILED '])).toMatchObject({
      exitCode: 0,
      stderr: 'No results\n',
    })
    expect(bench.server.log()).toContain(`GET ${place}?status=FAILED`)
  })

  test('rows that name no sync are shown with a warning', async () => {
    bench.server.on(`GET ${place}`, { body: page([{ id: 'x', status: 'RUNNING' }]) })
    const { stdout, stderr } = await bench.run(['dbt', 'history', '7'])
    expect(stdout).toContain('RUNNING')
    expect(stderr).toContain('warning: these sync rows name no sync job id')
  })
})
