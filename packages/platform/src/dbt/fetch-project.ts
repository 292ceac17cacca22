import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { type DbtProject, readManifest } from './read-manifest.ts'
import type { DbtRepository } from './repository.ts'
import { isInstalled, type ProgramLimits, ProgramStopped, runProgram } from './run-program.ts'
import type { SyncRun } from './sync-run.ts'

/** Larger manifests are of no project that anybody has. */
const largestManifest = 200 * 1024 * 1024
const cloneLimits: ProgramLimits = { milliseconds: 5 * 60_000, memoryBytes: 4 * 2 ** 30 }

/** How dbt is run on this server, which is the operator's to say: macros of a project are code. */
export interface DbtSettings {
  /** Name or path of the program; null: dbt is not run. */
  readonly program: string | null
  readonly limits: ProgramLimits
}

/** What a sync needs to get a project. */
interface ProjectSource {
  readonly repository: DbtRepository
  readonly ref: string | null
  /** Variables of the deployment; dbt gets those whose names begin with `DBT_`. */
  readonly variables: Readonly<Record<string, string>>
  readonly dbt: DbtSettings
}

/** Folders of one sync, removed afterwards. */
interface Sandbox {
  readonly root: string
  /** Home of the programs that run in it. */
  readonly home: string
}

/** Nothing but http is spoken, nowhere else is gone, and nothing of the repository is run or followed. */
const gitSettings = [
  ...['protocol.allow=never', 'protocol.http.allow=always', 'protocol.https.allow=always'],
  ...['http.followRedirects=false', 'core.symlinks=false', 'core.hooksPath=/dev/null', 'core.autocrlf=false'],
]
const gitEnvironment = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_LFS_SKIP_SMUDGE: '1',
}

/** A reason to fail that is the project's or the repository's, for the person who started the sync. */
export class SyncFailure extends Error {}

/**
 * Gets the dbt project out of its repository into a folder of its own, which is removed afterwards, and its manifest: made by dbt where this
 * server runs it and the project says how to connect (`profiles.yml`), else the one that the repository holds.
 *
 * @throws {SyncFailure} saying what is missing.
 */
export async function fetchProject(run: SyncRun, source: ProjectSource): Promise<DbtProject> {
  const { repository } = source
  await run.stage('CREATING_SANDBOX', 'Making a folder for the project')
  const prefix = `hedron-dbt-${run.job.id}-`
  await removeLeftovers(prefix)
  const root = await realpath(await mkdtemp(join(tmpdir(), prefix)))
  try {
    const sandbox: Sandbox = { root, home: join(root, 'home') }
    await mkdir(sandbox.home)
    await run.stage('UPLOADING_PROJECT', 'Cloning the repository')
    await run.phase('repo-clone', () => explainingStops(clone(run, source, sandbox)))
    const folder = join(root, 'project', repository.folder)
    if (!(await isFile(join(folder, 'dbt_project.yml')))) {
      throw new SyncFailure(
        `The repository has no dbt_project.yml in ${repository.folder || 'its root'}. Set HEDRON_DBT_FOLDER to the project's folder.`,
      )
    }
    await explainingStops(makeManifest(run, source, sandbox, folder))
    await run.stage('PROCESSING_MANIFEST', 'Reading target/manifest.json')
    return await run.phase('read-manifest', async () =>
      readManifest(await readDocument(join(folder, 'target', 'manifest.json'), root)),
    )
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** A server that was killed in the middle of this sync removed nothing. */
async function removeLeftovers(prefix: string): Promise<void> {
  const left = (await readdir(tmpdir())).filter(name => name.startsWith(prefix))
  for (const name of left) await rm(join(tmpdir(), name), { recursive: true, force: true, maxRetries: 3 })
}

/** A program that went too far is the project's own reason to fail. */
async function explainingStops<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof ProgramStopped ? new SyncFailure(`${error.message}.`) : error
  }
}

async function clone(run: SyncRun, { repository: { url }, ref }: ProjectSource, sandbox: Sandbox): Promise<void> {
  const attempt = (depth: readonly string[]) =>
    runProgram(
      'git',
      [
        ...gitSettings.flatMap(setting => ['-c', setting]),
        ...['clone', '--quiet', '--single-branch', '--no-tags', '--no-recurse-submodules', ...depth],
        ...(ref === null ? [] : ['--branch', ref]),
        ...['--', url, 'project'],
      ],
      {
        folder: sandbox.root,
        home: sandbox.home,
        environment: gitEnvironment,
        signal: run.signal,
        limits: cloneLimits,
      },
    )
  const shallow = await attempt(['--depth', '1'])
  // Some servers, Hedron's own among them, give whole histories alone.
  const isWholeOnly = shallow !== null && shallow.code !== 0 && /shallow/i.test(shallow.output)
  const cloned = isWholeOnly ? await attempt([]) : shallow
  if (cloned === null) throw new SyncFailure('git is not installed on this server: install it, or sync a manifest.')
  if (cloned.code !== 0) {
    throw new SyncFailure(`The repository could not be cloned: ${withoutPassword(cloned.output, url)}`)
  }
}

async function makeManifest(
  run: SyncRun,
  { dbt: { program, limits }, variables }: ProjectSource,
  { home }: Sandbox,
  folder: string,
): Promise<void> {
  const hasOwn = await isFile(join(folder, 'target', 'manifest.json'))
  const useOwn = async (why: string) => {
    if (!hasOwn)
      throw new SyncFailure(`${why}, and the repository holds no target/manifest.json: commit one, or sync a manifest.`)
    await run.note(`${why}: the manifest that the repository holds is used`)
  }
  if (program === null) return useOwn('This server does not run dbt (HEDRON_DBT_PROGRAM)')
  if (!(await isFile(join(folder, 'profiles.yml')))) return useOwn('The project has no profiles.yml to run dbt with')
  const own = Object.fromEntries(Object.entries(variables).filter(([name]) => name.startsWith('DBT_')))
  const environment = {
    ...own,
    DBT_SEND_ANONYMOUS_USAGE_STATS: 'false',
    DBT_USE_COLORS: 'false',
    DBT_TARGET_PATH: 'target',
  }
  const dbt = (argv: readonly string[]) =>
    runProgram(program, argv, { folder, home, environment, signal: run.signal, limits })
  const place = ['--project-dir', folder, '--profiles-dir', folder]
  if (!(await isInstalled(program))) return useOwn(`dbt is not installed on this server (${program})`)
  if ((await isFile(join(folder, 'packages.yml'))) || (await isFile(join(folder, 'dependencies.yml')))) {
    await run.stage('RUNNING_DBT_DEPS', 'Installing packages of the project')
    await run.phase('dbt-deps', async () => requireSuccess('dbt deps', await dbt(['deps', ...place])))
  }
  await run.stage('COMPILING_DBT', 'Parsing the dbt project')
  await run.phase('dbt-parse', async () =>
    requireSuccess('dbt parse', await dbt(['parse', '--no-partial-parse', ...place])),
  )
}

function requireSuccess(what: string, run: Awaited<ReturnType<typeof runProgram>>): void {
  if (run?.code === 0) return
  throw new SyncFailure(`${what} failed: ${run?.output.trim().slice(-4_000) ?? 'it is not there any more'}`)
}

/** @param root Where the file really has to be, whatever a program has made of its path. */
async function readDocument(path: string, root: string): Promise<unknown> {
  const place = await realpath(path).catch(() => null)
  if (place === null || !(await isFile(place))) throw new SyncFailure('There is no target/manifest.json.')
  if (!place.startsWith(root + sep))
    throw new SyncFailure('target/manifest.json is a link to a place outside the project.')
  const { size } = await stat(place)
  if (size > largestManifest) throw new SyncFailure('target/manifest.json is larger than 200 MiB.')
  try {
    return JSON.parse(await readFile(place, 'utf8'))
  } catch {
    throw new SyncFailure('target/manifest.json is not JSON.')
  }
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    found => found.isFile(),
    () => false,
  )

/** What git says, without the credential that an address may hold. */
function withoutPassword(output: string, url: string): string {
  const { username, password } = new URL(url)
  const secrets = [password, decodeURIComponent(password), username].filter(text => text.length > 3)
  return secrets.reduce((text, secret) => text.replaceAll(secret, '***'), output.trim().slice(-2_000))
}
