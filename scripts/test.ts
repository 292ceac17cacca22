/**
 * Everything that must hold before a change lands: types, lint with format and import cycles, then the tests; with
 * `--postgres=<url>` or where PostgreSQL 15 can be started, the tests that touch the metadata database run on that too.
 * Ends with one line `N passed, M failed`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setUpMachine, startPostgres15 } from './test-machine.ts'
import { setUpPython } from './test-python.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const running = new Set<ChildProcess>()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const child of running) child.kill(signal)
    process.exitCode = 130
  })
}

let passed = 0
let failed = 0

await setUpMachine(message => console.log(`[test] ${message}`))
await step('types', 'tsc', ['--project', 'tsconfig.json'])
await step('lint, format, import cycles, undeclared imports', 'biome', ['check', '--error-on-warnings', '.'])
const python = setUpPython(message => console.log(`[test] ${message}`))
if (python === null) {
  console.log(
    '[test] Six of ten SQL dialects are read by nobody else here; HEDRON_TEST_PYTHON=install makes what reads them.',
  )
  if (process.env.CI) failed++
}
await suite(
  'unit, property and golden tests',
  ['--project', 'unit'],
  python === null ? {} : { HEDRON_TEST_PYTHON: python },
)
await suite('store and platform tests on the embedded PostgreSQL', ['--project', 'store'])
await suite('acceptance tests on the embedded PostgreSQL', ['--project', 'acceptance'])

const postgres = await startPostgres15()
if (postgres === null) {
  console.log(
    '[test] PostgreSQL 15 is not on this machine and cannot be installed: its half of the store tests is left out.',
  )
  if (process.env.CI) failed++
} else {
  const environment = { HEDRON_TEST_DATABASE_URL: postgres.url }
  try {
    // Tests of the embedded server, of installing, and those that need MariaDB or the field's compiler, have run above.
    const others = [
      ...['embedded-postgres', 'place', 'kill'].map(name => `packages/store/test/${name}.test.ts`),
      'packages/semantic/test/oracle/**',
      'packages/query/test/drivers/mysql/**',
    ].flatMap(pattern => ['--exclude', pattern])
    await suite('store and platform tests on PostgreSQL 15', ['--project', 'store', ...others], environment)
    const setUp = ['--exclude', 'acceptance/set-up/interrupted-set-up.test.ts']
    await suite('acceptance tests on PostgreSQL 15', ['--project', 'acceptance', ...setUp], environment)
  } finally {
    await postgres.stop()
  }
}

console.log(`${passed} passed, ${failed} failed`)
if (failed > 0) process.exitCode ||= 1

/** A check that passes or fails as a whole. */
async function step(title: string, command: string, args: readonly string[]): Promise<void> {
  console.log(`[test] ${title}`)
  const code = await run(command, args)
  if (code === 0) passed++
  else failed++
}

/** A run of tests, counted one by one. */
async function suite(title: string, args: readonly string[], environment: Record<string, string> = {}): Promise<void> {
  console.log(`[test] ${title}`)
  const folder = await mkdtemp(join(tmpdir(), 'hedron-report-'))
  const report = join(folder, 'report.json')
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const code = await run('vitest', ['run', ...args, ...reporters], environment)
    const counts = await readCounts(report)
    passed += counts.passed
    // A run that died, or whose files could not be loaded, has failed whatever it counted.
    failed += Math.max(counts.failed, code === 0 ? 0 : 1)
    if (counts.passed + counts.failed === 0) failed++
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function readCounts(report: string): Promise<{ passed: number; failed: number }> {
  try {
    const parsed: unknown = JSON.parse(await readFile(report, 'utf8'))
    if (typeof parsed !== 'object' || parsed === null) return { passed: 0, failed: 0 }
    const count = (name: string) => Number(Reflect.get(parsed, name) ?? 0)
    return { passed: count('numPassedTests'), failed: count('numFailedTests') }
  } catch {
    return { passed: 0, failed: 0 }
  }
}

function run(command: string, args: readonly string[], environment: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(join(root, 'node_modules', '.bin', command), args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...environment },
    })
    running.add(child)
    child.once('error', reject)
    child.once('exit', code => {
      running.delete(child)
      resolve(code ?? 1)
    })
  })
}
