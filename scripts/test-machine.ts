import { type SpawnSyncOptions, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const postgres15 = '/usr/lib/postgresql/15/bin'

/** Debian packages that the tests use, by a file that each brings. */
const packages: readonly (readonly [name: string, proof: string])[] = [
  ['git', '/usr/bin/git'],
  ['curl', '/usr/bin/curl'],
  ['jq', '/usr/bin/jq'],
  ['tmux', '/usr/bin/tmux'],
  ['zsh', '/usr/bin/zsh'],
  ['fish', '/usr/bin/fish'],
  ['postgresql-15', `${postgres15}/postgres`],
  ['mariadb-server', '/usr/sbin/mariadbd'],
  ['redis-server', '/usr/bin/redis-server'],
  ['python3-venv', '/usr/share/doc/python3-venv'],
  ['chromium', '/usr/bin/chromium'],
  ['tzdata', '/usr/share/zoneinfo/Asia/Kathmandu'],
]

/** Installs what the tests need from Debian where this is root on a Debian machine; elsewhere says what is missing. */
export async function setUpMachine(say: (message: string) => void): Promise<void> {
  const missing = packages.filter(([, proof]) => !existsSync(proof)).map(([name]) => name)
  if (missing.length === 0) return
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    say(
      `Not on this machine and not installed by me: ${missing.join(', ')}. Tests that need them fail or are left out.`,
    )
    return
  }
  say(`Installing ${missing.join(', ')} from Debian ...`)
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const options: SpawnSyncOptions = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: environment,
    timeout: 10 * 60_000,
  }
  spawnSync('apt-get', ['update', '-q'], options)
  spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...missing], options)
}

export interface Postgres {
  readonly url: string
  stop(): Promise<void>
}

/**
 * Starts PostgreSQL 15 from Debian on a free port of loopback, in a temporary directory; null where it is not installed.
 *
 * @param options.isDurable whether what is committed survives a crash: for databases that live as long as the tests it would only cost time
 */
export async function startPostgres15({ isDurable = false } = {}): Promise<Postgres | null> {
  if (!existsSync(`${postgres15}/postgres`)) return null
  const directory = await mkdtemp(join(tmpdir(), 'hedron-postgres15-'))
  const password = randomBytes(16).toString('hex')
  const passwordFile = join(directory, 'password')
  const data = join(directory, 'data')
  await writeFile(passwordFile, password)
  const user = await unprivileged(directory, passwordFile)
  const options = { ...user, stdio: 'ignore' as const }
  const made = spawnSync(
    `${postgres15}/initdb`,
    ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8', '--locale=C', '-N'],
    options,
  )
  if (made.status !== 0) throw new Error('initdb of PostgreSQL 15 failed')
  const port = 20_000 + (randomBytes(2).readUInt16LE() % 20_000)
  const quick = isDurable ? [] : ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off']
  const settings = [...quick, 'listen_addresses=127.0.0.1']
  const server = spawn(
    `${postgres15}/postgres`,
    [
      '-D',
      data,
      '-p',
      String(port),
      '-k',
      directory,
      '-c',
      'max_connections=200',
      ...settings.flatMap(setting => ['-c', setting]),
    ],
    options,
  )
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  await waitUntilReady(port, directory)
  return {
    url,
    async stop() {
      const ended = new Promise(resolve => server.once('exit', resolve))
      server.kill('SIGINT')
      await Promise.race([ended, new Promise(resolve => setTimeout(resolve, 10_000).unref())])
      server.kill('SIGKILL')
      await rm(directory, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** PostgreSQL refuses to run as root. */
async function unprivileged(directory: string, passwordFile: string): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout.trim() || 65_534)
  const [uid, gid] = [id('-u'), id('-g')]
  await chown(directory, uid, gid)
  await chown(passwordFile, uid, gid)
  await chmod(directory, 0o700)
  return { uid, gid }
}

async function waitUntilReady(port: number, directory: string): Promise<void> {
  for (let attempt = 0; attempt < 150; attempt++) {
    const { status } = spawnSync(`${postgres15}/pg_isready`, ['-q', '-h', '127.0.0.1', '-p', String(port)])
    if (status === 0) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error(`PostgreSQL 15 in ${directory} did not become ready within 15 s`)
}
