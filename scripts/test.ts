/**
 * Everything that must hold before a change lands: types, lint with format and import cycles, then the tests; with
 * `--postgres=<url>` or where PostgreSQL 15 can be started, the tests that touch the metadata database run on that too.
 * Ends with one line `N passed, M failed`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { binaryName, hostTarget } from './build-cli/targets.ts'
import { setUpDbt } from './test-dbt.ts'
import { setUpMachine, startPostgres15 } from './test-machine.ts'
import { setUpPython } from './test-python.ts'
import {
  type Duration,
  describeFailure,
  describeSlowest,
  type Failure,
  readReport,
  type TestReport,
} from './test-report.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const running = new Set<ChildProcess>()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const child of running) child.kill(signal)
    process.exitCode = 130
  })
}

/** The code of the platform and of packages, compiled once for the hundreds of processes that run it: about a fifth of what a start takes. */
const compiled = await mkdtemp(join(tmpdir(), 'hedron-compiled-'))

let passed = 0
/** What failed, for the list at the end. */
const failures: Failure[] = []
/** What failed, and passed when its file ran again. */
const unsteady: Failure[] = []
/** How long each file took, of every run; a file that ran on both databases is there twice. */
const durations: Duration[] = []

await setUpMachine(message => console.log(`[test] ${message}`))
await step('types', 'tsc', ['--project', 'tsconfig.json'])
for (const name of ['ui', 'embed', 'embed-react']) {
  await step(`types of packages/${name}`, 'tsc', ['--project', `packages/${name}/tsconfig.json`])
}
await step('lint, format, import cycles, undeclared imports', 'biome', ['check', '--error-on-warnings', '.'])
const python = setUpPython(message => console.log(`[test] ${message}`))
if (python === null) {
  console.log(
    '[test] Six of ten SQL dialects are read by nobody else here; HEDRON_TEST_PYTHON=install makes what reads them.',
  )
  if (process.env.CI)
    failures.push({ file: 'scripts/test-python.ts', test: null, message: 'There is no Python in CI.' })
}
await suite(
  'unit, property and golden tests',
  ['--project', 'unit'],
  python === null ? {} : { HEDRON_TEST_PYTHON: python },
)
await suite('store and platform tests on the embedded PostgreSQL', ['--project', 'store'])
// The command line is tested as the one file that people install, and then on Node.
await step('the command line as one file', 'node', ['scripts/build-cli.ts'])
const binary = join(root, 'dist/cli', binaryName(hostTarget()))
const dbt = setUpDbt(message => console.log(`[test] ${message}`))
if (dbt === null) {
  console.log('[test] dbt is run over no real project here; HEDRON_TEST_DBT=install installs it.')
  if (process.env.CI) failures.push({ file: 'scripts/test-dbt.ts', test: null, message: 'There is no dbt in CI.' })
}
await suite('acceptance tests on the embedded PostgreSQL', ['--project', 'acceptance'], {
  HEDRON_TEST_CLI: binary,
  ...(dbt === null ? {} : { HEDRON_TEST_DBT: dbt }),
})
await suite('the command line on Node', ['--project', 'acceptance', '--exclude', '**/update.test.ts'], {}, [
  'acceptance/cli/',
])

const postgres = await startPostgres15()
if (postgres === null) {
  console.log(
    '[test] PostgreSQL 15 is not on this machine and cannot be installed: its half of the store tests is left out.',
  )
  if (process.env.CI)
    failures.push({ file: 'scripts/test-machine.ts', test: null, message: 'There is no PostgreSQL 15 in CI.' })
} else {
  const environment = { HEDRON_TEST_DATABASE_URL: postgres.url }
  try {
    // Tests of the embedded server, of installing, and those that need MariaDB, Redis or the field's compiler, have run above.
    const others = [
      ...['embedded-postgres', 'place', 'kill'].map(name => `packages/store/test/${name}.test.ts`),
      'packages/semantic/test/oracle/**',
      'packages/query/test/drivers/mysql/**',
      'packages/query/test/shared-results/**',
      'packages/sql/test/oracle/*-mariadb.test.ts',
    ].flatMap(pattern => ['--exclude', pattern])
    await suite('store and platform tests on PostgreSQL 15', ['--project', 'store', ...others], environment)
    // What asks data sources is the same whatever keeps the metadata; the folders here are those that write and read that.
    const onMetadata = ['platform-api', 'data-model', 'embedding', 'content', 'chat', 'durability'].map(
      name => `acceptance/${name}/`,
    )
    // What is refused before any statement runs, and what is between the platform and a model.
    const elsewhere = ['platform-api/bad-requests', 'platform-api/discovery', 'chat/language-model'].flatMap(name => [
      '--exclude',
      `acceptance/${name}.test.ts`,
    ])
    await suite('acceptance tests on PostgreSQL 15', ['--project', 'acceptance', ...elsewhere], environment, onMetadata)
    // They have a table in it, and are left out where there is none.
    const asSource = [
      ...['changed-variables', 'join', 'postgres'].map(name => `rollups/${name}`),
      ...['errors-tell-no-rows', 'postgres-source'].map(name => `data-api/${name}`),
    ].map(name => `acceptance/${name}.test.ts`)
    await suite('PostgreSQL 15 as a data source', ['--project', 'acceptance'], environment, asSource)
  } finally {
    await postgres.stop()
  }
}

await rm(compiled, { recursive: true, force: true, maxRetries: 3 })

if (unsteady.length > 0) {
  console.log(`[test] ${unsteady.length} failed at first and passed when their files ran alone:`)
  for (const failure of unsteady) console.log(describeFailure(failure, root))
}
for (const failure of failures) console.log(`[test] failed:\n${describeFailure(failure, root)}`)
console.log(`[test] the files that took longest:\n${describeSlowest(durations, 40, root)}`)
console.log(`${passed + unsteady.length} passed, ${failures.length} failed`)
if (failures.length > 0) process.exitCode ||= 1

/** A check that passes or fails as a whole. */
async function step(title: string, command: string, args: readonly string[]): Promise<void> {
  console.log(`[test] ${title}`)
  const code = await run(command, args)
  if (code === 0) passed++
  else failures.push({ file: title, test: null, message: `${command} ended with code ${code}.` })
}

/**
 * A run of tests, counted one by one. Files in which something failed run once more, one after another: what passes then failed for the
 * company it kept, which is reported by name at the end, and is not a failure of the change.
 *
 * @param files the beginnings of their paths; all where none is given
 */
async function suite(
  title: string,
  options: readonly string[],
  environment: Record<string, string> = {},
  files: readonly string[] = [],
): Promise<void> {
  console.log(`[test] ${title}`)
  const start = performance.now()
  await count(title, options, files, environment)
  console.log(`[test] ${title}: ${Math.round((performance.now() - start) / 1000)} s`)
}

async function count(
  title: string,
  options: readonly string[],
  only: readonly string[],
  environment: Record<string, string>,
): Promise<void> {
  const first = await vitest([...options, ...only], environment)
  if (first === null) {
    failures.push({ file: title, test: null, message: 'The run died before it could report.' })
    return
  }
  passed += first.passed
  durations.push(...first.files)
  if (first.failures.length === 0) return
  const files = [...new Set(first.failures.map(({ file }) => file))]
  if (files.some(file => !file.startsWith(root))) {
    failures.push(...first.failures)
    return
  }
  console.log(`[test] once more: ${files.map(file => file.replace(root, '')).join(', ')}`)
  const second = await vitest([...options, ...files, '--no-file-parallelism'], environment)
  const again = second?.failures ?? first.failures
  const isSteady = ({ file, test }: Failure) =>
    again.some(other => other.file === file && (other.test ?? test) === test)
  for (const failure of first.failures) (isSteady(failure) ? failures : unsteady).push(failure)
  failures.push(
    ...again.filter(({ file, test }) => !first.failures.some(known => known.file === file && known.test === test)),
  )
}

/** @returns null where the run died without a report. */
async function vitest(args: readonly string[], environment: Record<string, string>): Promise<TestReport | null> {
  const folder = await mkdtemp(join(tmpdir(), 'hedron-report-'))
  const path = join(folder, 'report.json')
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${path}`]
    const code = await run('vitest', ['run', ...args, ...reporters], environment)
    const report = await readReport(path)
    if (report === null || report.passed + report.failures.length === 0) return null
    // An error outside of every test, for example a promise that nobody waited for.
    const died = { file: args.join(' '), test: null, message: `vitest ended with code ${code}.` }
    return code !== 0 && report.failures.length === 0 ? { ...report, failures: [died] } : report
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function run(command: string, args: readonly string[], environment: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(join(root, 'node_modules', '.bin', command), args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, NODE_COMPILE_CACHE: compiled, ...environment },
    })
    running.add(child)
    child.once('error', reject)
    child.once('exit', code => {
      running.delete(child)
      resolve(code ?? 1)
    })
  })
}
