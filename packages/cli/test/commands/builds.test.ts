import type { BuildStatusResponse } from '@hedron/contract'
import { describe, expect, test } from 'vitest'
import { errorLine } from '../../src/commands/validate.ts'
import { useBench } from '../support/run-hedron.ts'

const bench = useBench()
const route = 'GET /api/v1/deployments/7/build-status'
const status = (value: BuildStatusResponse['status'], errorText: string | null = null, branchName = 'main') => ({
  body: {
    deploymentId: 7,
    branchName,
    mode: 'production',
    status: value,
    buildJobId: null,
    errorText,
    deploymentStatus: 'running',
    filesHash: null,
    lastHash: null,
    updatedAt: null,
  } satisfies BuildStatusResponse,
})
const wait = ['deployments', 'build-status', '7', '--wait']

describe('build-status --wait', () => {
  test('waits for the end and prints the last status', async () => {
    bench.server.on(route, [status('building'), status('warmup'), status('built')])
    const result = await bench.run([...wait, '--branch', 'main', '--poll', '2s'])
    expect(result).toMatchObject({ exitCode: 0, stderr: 'build: building\nbuild: warmup\n', sleeps: [250, 500] })
    expect(JSON.parse(result.stdout)).toMatchObject({ status: 'built' })
    expect(bench.server.log()).toEqual(Array(3).fill(`${route}?branchName=main`))
  })

  test('a failed build is printed and then fails', async () => {
    bench.server.on(route, [status('building', 'old failure'), status('failed', 'model/a.yml:3:1:\n no cube "x"')])
    const result = await bench.run(wait)
    expect(result.exitCode).toBe(1)
    expect(JSON.parse(result.stdout)).toMatchObject({ status: 'failed' })
    expect(result.stderr).toBe(
      'build: building (old failure)\nerror: build failed for branch main: model/a.yml:3:1: no cube "x"\n',
    )
  })

  test.each([
    [
      'Bad branch',
      'main',
      'branch main is not building (Bad branch). See which branches there are with `hedron data-model branches 7`',
    ],
    [
      'Branch is not active: sleeping',
      "it's",
      "branch it's is not building (Branch is not active): Branch is not active: sleeping. Run `hedron data-model dev-mode 7 'it'\\''s'` and wait on the dev-… branch it prints",
    ],
  ])('%s ends it at once', async (errorText, branch, message) => {
    bench.server.on(route, status('none', errorText, branch))
    expect(await bench.run(wait)).toMatchObject({ exitCode: 1, stderr: `error: ${message}\n`, sleeps: [] })
  })

  test('nothing happening for a minute ends it', async () => {
    bench.server.on(route, status('stopped', null, 'beta'))
    const result = await bench.run([...wait, '--poll', '20s'])
    expect(result.exitCode).toBe(1)
    expect(result.stderr).toContain('error: nothing is building branch beta (status stopped). If the branch exists')
    expect(result.sleeps).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 20_000, 20_000])
  })

  test('gives up on time', async () => {
    bench.server.on(route, status('building'))
    const result = await bench.run([...wait, '--timeout', '12s'])
    expect(result.exitCode).toBe(1)
    expect(result.stderr).toContain('error: timed out after 12s waiting for build (last seen: building).')
  })

  test.each([
    [[...wait, '--branch', ' '], 1, '--branch cannot be empty when used with --wait'],
    [['deployments', 'build-status', '7', '--timeout', '5s'], 2, '--timeout and --poll need --wait'],
    [['deployments', 'build-status', '7', '--poll', '5s'], 2, '--timeout and --poll need --wait'],
    [[...wait, '--timeout', '5d'], 2, "--timeout: '5d' is not a duration (try 30s, 15m, or 1h)"],
  ])('%j ends with %d before a request', async (argv, exitCode, message) => {
    const result = await bench.run(argv)
    expect(result.exitCode).toBe(exitCode)
    expect(result.stderr).toContain(`error: ${message}`)
    expect(bench.server.requests).toHaveLength(0)
  })
})

describe('validate', () => {
  const validate = 'GET /build/api/v1/deployments/7/data-model/validate'
  const report = (more: object) => ({ body: { deploymentId: 7, branchName: 'main', mode: 'production', ...more } })

  test('a valid model', async () => {
    bench.server.on(validate, report({ valid: true, errors: [], cubesCount: 3 }))
    expect(await bench.run(['validate', '7'])).toMatchObject({
      exitCode: 0,
      stdout: '✓ Data model on main is valid (3 cubes)\n',
    })
    await bench.run(['validate', '7', '--branch', 'a/b'])
    await bench.run(['validate', '7', '--dev-mode'])
    expect(bench.server.log()).toEqual([validate, `${validate}?branchName=a%2Fb`, `${validate}?devMode=true`])
    expect((await bench.run(['validate', '7', '--dev-mode', '--branch', 'x'])).exitCode).toBe(2)
  })

  test('a valid one with warnings lists them beside the verdict', async () => {
    const warning = { fileName: 'model/a.yml', line: 3, column: 7, message: 'has no effect', code: 'no_effect' }
    bench.server.on(validate, report({ valid: true, errors: [], warnings: [warning], cubesCount: 3 }))
    expect(await bench.run(['validate', '7'])).toMatchObject({
      exitCode: 0,
      stdout: '✓ Data model on main is valid (3 cubes), with 1 warning\n',
      stderr: '! model/a.yml:3:7: has no effect\n',
    })
  })

  test('an invalid one names file, line and column', async () => {
    const errors = [
      { fileName: 'model/a.yml', line: 3, column: 7, message: 'line 3, column 7: no cube "x"', code: 'unknown_cube' },
      { fileName: 'model/b.yml', line: null, column: null, message: 'not YAML', code: null },
    ]
    const document = { valid: false, errors, cubesCount: null }
    bench.server.on(validate, report(document))
    expect(await bench.run(['validate', '7'])).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr:
        '✗ Data model on main failed to compile:\n  model/a.yml:3:7: no cube "x"\n  model/b.yml: not YAML\nerror: data model on main has 2 compilation error(s)\n',
    })
    const asJson = await bench.run(['validate', '7', '--json'])
    expect(asJson.exitCode).toBe(1)
    expect(JSON.parse(asJson.stdout)).toMatchObject(document)
  })

  test('what is not said to be valid is not', async () => {
    bench.server.on(validate, { body: { valid: 'true', branchName: ' ' } })
    const result = await bench.run(['validate', '7', '--dev-mode'])
    expect(result.exitCode).toBe(1)
    expect(result.stderr).toContain('✗ Data model on the dev-mode branch could not be validated.\n')
  })

  test.each([
    ['plain words', 'plain words'],
    [{ message: 'm' }, 'm'],
    [{ fileName: 'f' }, 'f'],
    [{ code: 7 }, '{"code":7}'],
    [null, 'null'],
    ['', '""'],
  ])('the error %j reads %s', (error, line) => expect(errorLine(error)).toBe(line))
})
