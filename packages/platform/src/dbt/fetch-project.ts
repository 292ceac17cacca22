import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DbtProject, readManifest } from './read-manifest.ts'
import type { DbtRepository } from './repository.ts'
import { runProgram } from './run-program.ts'
import type { SyncRun } from './sync-run.ts'

/** Larger manifests are of no project that anybody has. */
const largestManifest = 200 * 1024 * 1024
const cloneMs = 5 * 60_000
const dbtMs = 10 * 60_000

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
 * Gets the dbt project out of its repository into a folder of its own, which is removed afterwards, and its manifest: made by dbt where it is
 * installed and the project says how to connect (`profiles.yml`), else the one that the repository holds.
 *
 * @throws {SyncFailure} saying what is missing.
 */
export async function fetchProject(run: SyncRun, repository: DbtRepository, ref: string | null): Promise<DbtProject> {
  await run.stage('CREATING_SANDBOX', 'Making a folder for the project')
  const sandbox = await mkdtemp(join(tmpdir(), 'hedron-dbt-'))
  try {
    await run.stage('UPLOADING_PROJECT', 'Cloning the repository')
    await run.phase('repo-clone', () => clone(run, repository, ref, sandbox))
    const folder = join(sandbox, 'project', repository.folder)
    if (!(await isFile(join(folder, 'dbt_project.yml')))) {
      throw new SyncFailure(
        `The repository has no dbt_project.yml in ${repository.folder || 'its root'}. Set HEDRON_DBT_FOLDER to the project's folder.`,
      )
    }
    await makeManifest(run, folder)
    await run.stage('PROCESSING_MANIFEST', 'Reading target/manifest.json')
    return await run.phase('read-manifest', async () =>
      readManifest(await readDocument(join(folder, 'target', 'manifest.json'))),
    )
  } finally {
    await rm(sandbox, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function clone(run: SyncRun, { url }: DbtRepository, ref: string | null, sandbox: string): Promise<void> {
  const attempt = (depth: readonly string[]) =>
    runProgram(
      'git',
      [
        ...gitSettings.flatMap(setting => ['-c', setting]),
        ...['clone', '--quiet', '--single-branch', '--no-tags', '--no-recurse-submodules', ...depth],
        ...(ref === null ? [] : ['--branch', ref]),
        ...['--', url, 'project'],
      ],
      { folder: sandbox, environment: gitEnvironment, signal: run.signal, milliseconds: cloneMs },
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

async function makeManifest(run: SyncRun, folder: string): Promise<void> {
  const hasOwn = await isFile(join(folder, 'target', 'manifest.json'))
  const useOwn = async (why: string) => {
    if (!hasOwn)
      throw new SyncFailure(`${why}, and the repository holds no target/manifest.json: commit one, or sync a manifest.`)
    await run.note(`${why}: the manifest that the repository holds is used`)
  }
  if (!(await isFile(join(folder, 'profiles.yml')))) return useOwn('The project has no profiles.yml to run dbt with')
  const dbt = (argv: readonly string[]) =>
    runProgram('dbt', [...argv, '--project-dir', folder, '--profiles-dir', folder], {
      folder,
      environment: { DBT_SEND_ANONYMOUS_USAGE_STATS: 'false', DBT_USE_COLORS: 'false', DBT_TARGET_PATH: 'target' },
      signal: run.signal,
      milliseconds: dbtMs,
    })
  const found = await dbt(['--version'])
  if (found === null) return useOwn('dbt is not installed on this server')
  if ((await isFile(join(folder, 'packages.yml'))) || (await isFile(join(folder, 'dependencies.yml')))) {
    await run.stage('RUNNING_DBT_DEPS', 'Installing packages of the project')
    await run.phase('dbt-deps', async () => requireSuccess('dbt deps', await dbt(['deps'])))
  }
  await run.stage('COMPILING_DBT', 'Parsing the dbt project')
  await run.phase('dbt-parse', async () => requireSuccess('dbt parse', await dbt(['parse', '--no-partial-parse'])))
}

function requireSuccess(what: string, run: Awaited<ReturnType<typeof runProgram>>): void {
  if (run?.code === 0) return
  throw new SyncFailure(`${what} failed: ${run?.output.trim().slice(-4_000) ?? 'it is not there any more'}`)
}

async function readDocument(path: string): Promise<unknown> {
  const { size } = await stat(path)
  if (size > largestManifest) throw new SyncFailure('target/manifest.json is larger than 200 MiB.')
  try {
    return JSON.parse(await readFile(path, 'utf8'))
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
