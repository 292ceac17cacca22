import { spawn, spawnSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDeployment, createKey, eventually, sharedApi } from '../support/api.ts'
import { type Fate, startCuttingProxy } from './cutting-proxy.ts'
import { createHedron, type Hedron, programOf } from './hedron.ts'

const api = sharedApi()
let hedron: Hedron
let apiKey = ''
let id = ''
let project = ''
let queries = ''

const model = (total: string) => `cubes:
  - name: numbers
    sql: SELECT 1 AS id, 5 AS amount, 'a|b' AS kind UNION ALL SELECT 2, 7, 'c'
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: kind, sql: kind, type: string }
    measures:
      - { name: count, type: count }
      - { name: total, sql: ${total}, type: sum }
`
const put = (content: string) => writeFile(join(project, 'model/numbers.yml'), content)
const gate = (...argv: readonly string[]) => hedron.run('gate', id, '--queries', queries, ...argv)
const branches = async () => {
  const { body } = await api.get(`/build/api/v1/deployments/${id}/branches`)
  return JSON.parse(JSON.stringify(body.items)).map((branch: { name: string }) => branch.name)
}

beforeAll(async () => {
  apiKey = await createKey(api)
  hedron = await createHedron({ baseUrl: api.baseUrl, apiKey })
  id = String(await createDeployment(api, { deployMode: 'cli' }))
  project = join(hedron.folder, 'project')
  queries = join(hedron.folder, 'queries.json')
  await mkdir(join(project, 'model'), { recursive: true })
  await put(model('amount'))
  await hedron.succeed('variables', 'set', id, 'CUBEJS_DB_TYPE=duckdb')
  await hedron.succeed('deploy', id, '--directory', project, '--wait', '--poll', '1s')
  await writeFile(
    queries,
    JSON.stringify({
      'how many': { measures: ['numbers.count'] },
      'total by kind': { measures: ['numbers.total'], dimensions: ['numbers.kind'] },
    }),
  )
})
afterAll(() => hedron.dispose())

describe('gate (SPEC, CI gate)', () => {
  test('passes a change that moves no number, and leaves no branch and no session behind', async () => {
    await put(`# a comment\n${model('amount + 0')}`)
    const passed = await gate('--directory', project)
    expect(passed).toMatchObject({ exitCode: 0 })
    expect(passed.stdout).toBe('2 queries compared: 2 the same\n✓ Gate passed\n')
    expect(await branches()).toEqual(['main'])
    expect((await hedron.run('validate', id, '--dev-mode')).stderr).toContain('dev-mode')
    expect(await hedron.succeed('data-model', 'get', id, 'model/numbers.yml', '--branch', 'main')).toBe(model('amount'))
  })

  test('shows the numbers that differ as text, Markdown and JSON, and ends with 1', async () => {
    await put(model('amount * 2'))
    const markdown = join(hedron.folder, 'gate.md')
    const failed = await gate('--directory', project, '--markdown', markdown)
    expect(failed.exitCode).toBe(1)
    expect(failed.stdout).toMatch(/^QUERY +ROW +MEASURE +BEFORE +AFTER *\n/)
    expect(failed.stdout).toMatch(/total by kind +numbers\.kind=a\|b +numbers\.total +5 +10\n/)
    expect(failed.stderr).toContain('error: gate failed: 1 of 2 queries fail or answer other numbers\n')
    expect(await readFile(markdown, 'utf8')).toContain(
      '| total by kind | numbers.kind=a\\|b | numbers.total | 5 | 10 |\n',
    )
    const document = JSON.parse((await gate('--directory', project, '--json')).stdout)
    expect(document).toMatchObject({
      passed: false,
      valid: true,
      numbers: [{ status: 'same' }, { status: 'different' }],
    })
    expect((await gate('--directory', project, '--allow-differences')).exitCode).toBe(0)
    expect(await branches()).toEqual(['main'])
  })

  test('a model that does not compile fails with its mistakes', async () => {
    await put('cubes:\n  - name: numbers\n    sql_tabel: x\n')
    const failed = await gate('--directory', project)
    expect(failed.exitCode).toBe(1)
    expect(failed.stderr).toMatch(/ {2}model\/numbers\.yml: line /)
    expect(failed.stderr).toContain('error: gate failed: the data model has')
    expect(await branches()).toEqual(['main'])
    await put(model('amount'))
  })

  test('tries a branch, such as one that a sync made, which stays', async () => {
    await hedron.succeed('data-model', 'create-branch', id, 'synced')
    expect((await gate('--branch', 'synced')).exitCode).toBe(0)
    expect((await branches()).sort()).toEqual(['main', 'synced'])
    expect((await gate('--branch', 'nowhere')).exitCode).toBe(1)
    await hedron.succeed('data-model', 'delete-branch', id, 'synced')
  })

  test('does not touch the dev-mode session that somebody has open', async () => {
    await hedron.succeed('data-model', 'dev-mode', id, 'main')
    const refused = await gate('--directory', project)
    expect(refused.stderr).toContain('open dev-mode session on dev-')
    expect((await branches()).filter((name: string) => name.startsWith('gate-'))).toEqual([])
    await hedron.succeed('data-model', 'exit-dev-mode', id)
  })

  test.each(['SIGINT', 'SIGTERM'] as const)('%s in the middle removes what it made', async signal => {
    const before = await branches()
    const [program, ...leading] = programOf()
    const child = spawn(program, [...leading, 'gate', id, '--queries', queries, '--directory', project], {
      env: { PATH: process.env.PATH, HOME: hedron.folder, HEDRON_API_URL: api.baseUrl, HEDRON_API_KEY: apiKey },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const exited = new Promise<number | null>(resolve => child.once('close', resolve))
    await new Promise<void>(resolve =>
      child.stderr.on('data', (chunk: Buffer) => {
        if (chunk.toString().includes('working on')) resolve()
      }),
    )
    child.kill(signal)
    expect(await exited).toBe(signal === 'SIGINT' ? 130 : 143)
    expect(await branches()).toEqual(before)
  })

  test('syncs a dbt manifest itself, tries what becomes of it, and leaves nothing behind', async () => {
    const before = await branches()
    const manifest = fileURLToPath(new URL('../dbt/fixtures/shop-manifest.json', import.meta.url))
    const passed = await gate('--manifest', manifest, '--json')
    expect(passed).toMatchObject({ exitCode: 0 })
    expect(passed.stderr).toMatch(/gate: dbt sync \S+ on dbt-sync\/gate-/)
    expect(JSON.parse(passed.stdout)).toMatchObject({ passed: true, numbers: [{ status: 'same' }, { status: 'same' }] })
    expect(await branches()).toEqual(before)

    const empty = join(hedron.folder, 'empty.json')
    const document = JSON.parse(await readFile(manifest, 'utf8'))
    await writeFile(empty, JSON.stringify({ ...document, nodes: {} }))
    const failed = await gate('--manifest', empty)
    expect(failed.exitCode).toBe(1)
    expect(failed.stderr).toContain('no dbt models matched')
    expect(failed.stderr).not.toContain('warning:')
    expect(await branches()).toEqual(before)
  })

  test('Ctrl-C while it syncs cancels the sync', async () => {
    const before = await branches()
    const silent = createServer(() => {})
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    await hedron.succeed('variables', 'set', id, `HEDRON_DBT_REPOSITORY=http://127.0.0.1:${port}/shop.git`)
    const [program, ...leading] = programOf()
    const child = spawn(program, [...leading, 'gate', id, '--queries', queries, '--sync', '--ref', 'main'], {
      env: { PATH: process.env.PATH, HOME: hedron.folder, HEDRON_API_URL: api.baseUrl, HEDRON_API_KEY: apiKey },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const exited = new Promise<number | null>(resolve => child.once('close', resolve))
    await new Promise<void>(resolve =>
      child.stderr.on('data', (chunk: Buffer) => {
        if (chunk.toString().includes('gate: dbt sync')) resolve()
      }),
    )
    child.kill('SIGINT')
    expect(await exited).toBe(130)
    const [newest] = Object(await hedron.json('dbt', 'history', id, '--first', '1')).items
    expect(newest).toMatchObject({ status: 'CANCELLED', gitRef: 'main' })
    expect(await branches()).toEqual(before)
    silent.closeAllConnections()
    silent.close()
  })

  // The server did what it was asked, but who asked never heard of it.
  test.each([
    ['its branch is made', '/branches', ['--branch', 'main']],
    ['its dev branch is forked', '/dev-mode', ['--branch', 'main']],
    ['a sync is started', '/dbt-sync', ['--sync', '--ref', 'main']],
  ])('Ctrl-C as %s leaves nothing behind', async (_, step, argv) => {
    const before = await branches()
    const silent = createServer(() => {})
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    await hedron.succeed('variables', 'set', id, `HEDRON_DBT_REPOSITORY=http://127.0.0.1:${port}/shop.git`)
    const done = Promise.withResolvers<void>()
    let isHeld = false
    const fateOf = (path: string): Fate => {
      if (isHeld || !path.endsWith(step)) return 'passed'
      isHeld = true
      return 'held'
    }
    const proxy = await startCuttingProxy(api.baseUrl, fateOf, path => {
      if (path.endsWith(step)) done.resolve()
    })
    const [program, ...leading] = programOf()
    const child = spawn(program, [...leading, 'gate', id, '--queries', queries, ...argv], {
      env: { PATH: process.env.PATH, HOME: hedron.folder, HEDRON_API_URL: proxy.baseUrl, HEDRON_API_KEY: apiKey },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const exited = new Promise<number | null>(resolve => child.once('close', resolve))
    const said = text(child.stderr)
    await done.promise
    child.kill('SIGINT')
    expect(await exited).toBe(130)
    expect(await said).not.toContain('warning')
    expect(await branches()).toEqual(before)
    expect((await hedron.run('validate', id, '--dev-mode')).stderr).toContain('dev-mode')
    const running = Object(await hedron.json('dbt', 'history', id, '--status', 'RUNNING')).items
    expect(running).toEqual([])
    proxy.close()
    silent.closeAllConnections()
    silent.close()
  })

  test('examples/ci/gate.sh runs it and hands on its exit code', async () => {
    const place = join(hedron.folder, 'bin')
    await mkdir(place, { recursive: true })
    const words = programOf()
      .map(word => `'${word}'`)
      .join(' ')
    await writeFile(join(place, 'hedron'), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 })
    const script = fileURLToPath(new URL('../../examples/ci/gate.sh', import.meta.url))
    const run = (more: Record<string, string>, ...argv: readonly string[]) =>
      spawnSync('/bin/sh', [script, ...argv], {
        env: {
          PATH: `${place}:${process.env.PATH}`,
          HOME: hedron.folder,
          HEDRON_API_URL: api.baseUrl,
          HEDRON_API_KEY: apiKey,
          HEDRON_PROJECT: project,
          HEDRON_GATE_QUERIES: queries,
          HEDRON_GATE_REPORT: join(hedron.folder, 'report.md'),
          ...more,
        },
        encoding: 'utf8',
      })
    await put(model('amount + 1'))
    expect(run({ HEDRON_DEPLOYMENT: id }).status).toBe(1)
    expect(await readFile(join(hedron.folder, 'report.md'), 'utf8')).toContain('### Gate failed')
    expect(run({ HEDRON_DEPLOYMENT: id }, '--allow-differences').status).toBe(0)
    await put(model('amount'))
    const unset = run({})
    expect(unset.status).not.toBe(0)
    expect(unset.stderr).toContain('HEDRON_DEPLOYMENT')
  })

  test.each([
    [['--ref', 'main', '--branch', 'x'], '--ref needs --sync'],
    [['--sync', '--branch', 'x'], 'cannot be used together'],
    [['--sync', '--manifest', 'x'], 'cannot be used together'],
    [[], 'give --directory, --branch or both'],
    [['--branch', ' '], 'an empty value names no branch'],
  ])('%j is a mistake in the arguments', async (argv, message) => {
    const refused = await gate(...argv)
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toContain(message)
  })
})

describe('logs (cli-core 15)', () => {
  test('show builds and requests, narrow to a source, and are followed', async () => {
    const lines = await hedron.succeed('logs', id)
    expect(lines).toMatch(/^\d{4}-\d\d-\d\dT\S+Z \[build\] build \d+ of main: built in \d+ ms$/m)
    expect(lines).toMatch(/^\S+ \[data-api-\S+\] load of production: 200 in [\d.]+ ms$/m)
    expect(lines).toMatch(/^\S+ \[data-api-\S+\] load of dev-\S+: 200 in /m)
    expect(await hedron.succeed('logs', id, '--source', 'production')).not.toContain('dev-')
    expect(await hedron.succeed('logs', id, '-c', 'INIT')).not.toContain('load of')
    expect(await hedron.run('logs', id, '--pod', 'none')).toEqual({ exitCode: 0, stdout: '', stderr: 'No log lines\n' })
    const page = Object(await hedron.json('logs', id, '--first', '2'))
    expect(page.items).toHaveLength(2)

    const [program, ...leading] = programOf()
    const child = spawn(
      program,
      [...leading, 'logs', id, '--follow', '--poll', '1s', '--after', page.pageInfo.endCursor],
      {
        env: { PATH: process.env.PATH, HOME: hedron.folder, HEDRON_API_URL: api.baseUrl, HEDRON_API_KEY: apiKey },
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    )
    let followed = ''
    child.stdout.on('data', (chunk: Buffer) => {
      followed += chunk.toString()
    })
    await hedron.succeed('query', id, '--measures', 'numbers.count')
    await eventually(
      async () => followed,
      text => text.includes('load of production'),
    )
    const exited = new Promise<number | null>(resolve => child.once('close', resolve))
    child.kill('SIGINT')
    expect(await exited).toBe(130)
  })
})
