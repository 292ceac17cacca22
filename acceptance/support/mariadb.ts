import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const server = '/usr/sbin/mariadbd'

/** Debian's MariaDB, which `npm test` installs where it can. */
export const hasMariaDb = existsSync(server)

export interface MariaDb {
  /** By which a deployment asks its database `shop`. */
  readonly variables: Readonly<Record<string, string>>
  /** Runs statements past the platform. @returns what they print: cells with tabs between them. */
  run(statements: string): string
  close(): Promise<void>
}

/** Starts a server in a temporary directory, on a socket alone. */
export async function startMariaDb(): Promise<MariaDb> {
  const directory = await mkdtemp(join(tmpdir(), 'hedron-mariadb-'))
  const socketPath = join(directory, 'socket')
  const user: string[] = []
  if (process.getuid?.() === 0) {
    const id = (flag: string) => Number(printed('id', [flag, 'mysql']))
    chownSync(directory, id('-u'), id('-g'))
    user.push('--user=mysql')
  }
  const where = ['--no-defaults', `--datadir=${join(directory, 'data')}`]
  printed('mariadb-install-db', [...where, '--auth-root-authentication-method=normal', '--skip-test-db', ...user])
  const options = [
    ...where,
    `--socket=${socketPath}`,
    '--skip-networking',
    '--innodb-flush-log-at-trx-commit=0',
    ...user,
  ]
  const child = spawn(server, options, { stdio: 'ignore' })
  const client = ['--no-defaults', `--socket=${socketPath}`, '--user=root', '--batch', '--skip-column-names']
  await untilListening(child, () => spawnSync('mariadb', client, { input: 'SELECT 1' }).status === 0)
  const run = (statements: string) => printed('mariadb', [...client, '--database=shop'], statements)
  printed(
    'mariadb',
    client,
    "CREATE DATABASE shop CHARACTER SET utf8mb4; CREATE USER reader@localhost IDENTIFIED BY 'secret'; GRANT ALL ON shop.* TO reader@localhost",
  )
  return {
    variables: {
      CUBEJS_DB_TYPE: 'mysql',
      CUBEJS_DB_SOCKET_PATH: socketPath,
      CUBEJS_DB_NAME: 'shop',
      CUBEJS_DB_USER: 'reader',
      CUBEJS_DB_PASS: 'secret',
    },
    run,
    async close() {
      const ended = new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
      await rm(directory, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

function printed(program: string, given: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(program, given, { input, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`)
  return stdout.trim()
}

async function untilListening(child: ChildProcess, isListening: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (child.exitCode !== null) throw new Error(`MariaDB ended with ${child.exitCode}`)
    if (isListening()) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error('MariaDB did not answer within 30 s')
}
