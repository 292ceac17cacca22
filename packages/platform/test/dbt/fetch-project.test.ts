import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, normalize } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DbtSettings, fetchProject } from '../../src/dbt/fetch-project.ts'
import type { SyncRun } from '../../src/dbt/sync-run.ts'
import { useFolder } from './fake-program.ts'
import { manifestOf } from './manifests.ts'

const bench = useFolder()
const committed = JSON.stringify(manifestOf({ committed: {} }))
const made = JSON.stringify(manifestOf({ made: {} }))

let server: Server
let url = ''

/** A repository of git behind a server of plain files, which git reads too. */
beforeAll(async () => {
  const work = join(bench.folder, 'work')
  await mkdir(join(bench.folder, 'other'))
  await writeFile(join(bench.folder, 'other/manifest.json'), committed)
  await mkdir(join(work, 'shop/target'), { recursive: true })
  await writeFile(join(work, 'shop/dbt_project.yml'), 'name: shop\n')
  await writeFile(join(work, 'shop/packages.yml'), 'packages: []\n')
  await writeFile(join(work, 'shop/target/manifest.json'), committed)
  const git = (...argv: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...argv], { cwd: work, stdio: 'ignore' })
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-q', '-m', 'without profiles')
  git('branch', 'without-profiles')
  await writeFile(join(work, 'shop/profiles.yml'), 'shop: {}\n')
  git('add', '-A')
  git('commit', '-q', '-m', 'with profiles')
  git('tag', 'v1')
  git('clone', '-q', '--bare', work, join(bench.folder, 'bare'))
  execFileSync('git', ['update-server-info'], { cwd: join(bench.folder, 'bare') })
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x')
    readFile(join(bench.folder, 'bare', normalize(pathname))).then(
      bytes => response.end(bytes),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(() => server?.close())

function createRun(signal = new AbortController().signal) {
  const said: string[] = []
  const run = {
    job: { id: 'job1' },
    signal,
    stage: async (stage: string) => void said.push(stage),
    note: async (message: string) => void said.push(message),
    phase: async <T>(name: string, work: () => Promise<T>) => {
      said.push(name)
      return work()
    },
  }
  // What it does not use of a run is not here.
  return { run: run as unknown as SyncRun, said }
}

const usual = { milliseconds: 20_000, memoryBytes: 2 ** 32 }

function fetchWith(
  dbt: Partial<DbtSettings>,
  { ref = null, run = createRun().run, folder = 'shop' }: { ref?: string | null; run?: SyncRun; folder?: string } = {},
) {
  return fetchProject(run, {
    repository: { url, ref: null, folder },
    ref,
    variables: { DBT_TARGET: 'ci', CUBEJS_DB_PASS: 'secret' },
    dbt: { program: null, limits: usual, ...dbt },
  })
}

const namesOf = ({ models }: Awaited<ReturnType<typeof fetchProject>>) => models.map(({ name }) => name)
const sandboxes = async () => (await readdir(tmpdir())).filter(name => /^hedron-dbt-job1-/.test(name))

describe('where dbt is not run', () => {
  test('the manifest of the repository is used, and it is said why', async () => {
    const off = createRun()
    expect(namesOf(await fetchWith({}, { run: off.run }))).toEqual(['committed'])
    expect(off.said.join('\n')).toContain(
      'does not run dbt (HEDRON_DBT_PROGRAM): the manifest that the repository holds',
    )
    const absent = createRun()
    await fetchWith({ program: 'no-such-dbt' }, { run: absent.run })
    expect(absent.said.join('\n')).toContain('dbt is not installed on this server (no-such-dbt)')
    const bare = createRun()
    await fetchWith({ program: 'no-such-dbt' }, { run: bare.run, ref: 'without-profiles' })
    expect(bare.said.join('\n')).toContain('has no profiles.yml')
  })

  test('a ref or a folder that is not there is the reason, and nothing is left behind', async () => {
    const before = await sandboxes()
    await expect(fetchWith({}, { ref: 'v2' })).rejects.toThrow('could not be cloned')
    await expect(fetchWith({}, { folder: 'elsewhere' })).rejects.toThrow('no dbt_project.yml in elsewhere')
    expect(await sandboxes()).toEqual(before)
  })
})

describe('dbt', () => {
  const dbt = (name: string, commands: string) => bench.program(name, `case "$1" in deps) ;; parse) ${commands};; esac`)

  test('is run in the stages of the contract, with the DBT_ variables of the deployment and no others', async () => {
    const out = join(bench.folder, 'env.txt')
    const program = await dbt('good', `env > ${out}; echo "$@" >> ${out}; printf '%s' '${made}' > target/manifest.json`)
    const { run, said } = createRun()
    expect(namesOf(await fetchWith({ program }, { run, ref: 'v1' }))).toEqual(['made'])
    expect(said.filter(line => /^[A-Z_]+$/.test(line))).toEqual([
      'CREATING_SANDBOX',
      'UPLOADING_PROJECT',
      'RUNNING_DBT_DEPS',
      'COMPILING_DBT',
      'PROCESSING_MANIFEST',
    ])
    const seen = await readFile(out, 'utf8')
    expect(seen).toContain('DBT_TARGET=ci')
    expect(seen).toContain('DBT_SEND_ANONYMOUS_USAGE_STATS=false')
    expect(seen).toMatch(/^HOME=\S+\/hedron-dbt-job1-\w{6}\/home$/m)
    expect(seen).not.toContain('secret')
    expect(seen).not.toContain('HEDRON')
    expect(seen).toContain('parse --no-partial-parse --project-dir')
  })

  test.each([
    ['fails', 'echo "Compilation Error: no such model"; exit 1', 'dbt parse failed: Compilation Error: no such model'],
    ['hangs', 'sleep 60', 'took longer than 1 s and was stopped'],
    ['floods', 'exec yes', 'printed more than 16 MiB and was stopped'],
    ['writes nonsense', 'echo nonsense > target/manifest.json', 'is not JSON'],
    ['writes no manifest', 'rm target/manifest.json', 'There is no target/manifest.json'],
    ['makes a folder of it', 'rm target/manifest.json; mkdir target/manifest.json', 'There is no target/manifest.json'],
    ['makes a pipe of it', 'rm target/manifest.json; mkfifo target/manifest.json', 'There is no target/manifest.json'],
    ['links it to a file of the server', 'ln -sf /etc/passwd target/manifest.json', 'a place outside the project'],
    ['links its folder elsewhere', 'rm -r target; ln -s "$(dirname "$0")/other" target', 'a place outside the project'],
  ])('that %s fails the sync with that reason, and leaves nothing behind', async (name, commands, reason) => {
    const before = await sandboxes()
    const program = await dbt(name.replaceAll(' ', '-'), commands)
    const limits = name === 'hangs' ? { ...usual, milliseconds: 1_000 } : usual
    await expect(fetchWith({ program, limits })).rejects.toThrow(reason)
    expect(await sandboxes()).toEqual(before)
  })

  test('what an earlier try of a killed server left is removed', async () => {
    await mkdir(join(tmpdir(), 'hedron-dbt-job1-abcdef/project'), { recursive: true })
    await fetchWith({})
    expect(await sandboxes()).toEqual([])
  })

  test('is stopped when the sync is', async () => {
    const controller = new AbortController()
    const program = await dbt('waits', 'sleep 60')
    const { run, said } = createRun(controller.signal)
    const ended = fetchWith({ program }, { run })
    const timer = setInterval(() => {
      if (said.includes('dbt-parse')) controller.abort(new Error('cancelled'))
    }, 20)
    await expect(ended).rejects.toThrow('cancelled')
    clearInterval(timer)
  })
})
