import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { onTestFinished } from 'vitest'
import { readDataSources } from '../../src/data-sources.ts'
import { createMySqlDriver } from '../../src/drivers/mysql/mysql.ts'
import type { OpenSource, Statement } from '../../src/shapes/driver.ts'
import type { Table } from '../../src/shapes/query.ts'
import type { TableLimits } from '../../src/table-sink.ts'
import { runWhole } from './run-whole.ts'

const server = '/usr/sbin/mariadbd'

/** Debian's MariaDB, which `npm test` installs where it can. */
export const hasMariaDb = existsSync(server)

export interface TestMariaDb {
  readonly variables: Readonly<Record<string, string>>
  /** Runs statements past the driver. */
  administer(...statements: string[]): Promise<readonly Record<string, unknown>[]>
  /** Fills the server's tables of time zones, which are empty at first. */
  loadZones(): Promise<void>
  open(changes?: Readonly<Record<string, string>>): Promise<OpenMariaDb>
  /** Kills the server and starts it again with the same data. */
  restart(): Promise<void>
  close(): Promise<void>
}

export interface OpenMariaDb extends OpenSource {
  query(sql: string, changes?: Partial<Statement & TableLimits>, signal?: AbortSignal): Promise<Table>
}

/** Starts a server in a temporary directory, on a socket alone, with the database `shop`. */
export async function startMariaDb(): Promise<TestMariaDb> {
  const directory = await mkdtemp(join(tmpdir(), 'hedron-mariadb-'))
  const data = join(directory, 'data')
  const socketPath = join(directory, 'socket')
  const isRoot = process.getuid?.() === 0
  if (isRoot) {
    const id = (flag: string) => Number(spawnSync('id', [flag, 'mysql'], { encoding: 'utf8' }).stdout)
    await chown(directory, id('-u'), id('-g'))
  }
  const user = isRoot ? ['--user=mysql'] : []
  const made = spawnSync('mariadb-install-db', [
    '--no-defaults',
    `--datadir=${data}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    ...user,
  ])
  if (made.status !== 0) throw new Error(`mariadb-install-db failed: ${made.stderr}`)
  const options = [
    '--no-defaults',
    `--datadir=${data}`,
    `--socket=${socketPath}`,
    '--skip-networking',
    // The driver must set what it needs, so the server has something else.
    '--default-time-zone=+05:45',
    '--innodb-flush-log-at-trx-commit=0',
    ...user,
  ]
  let child = spawn(server, options, { stdio: 'ignore' })
  await untilListening(socketPath, child)
  const kill = async () => {
    const ended = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }

  async function administer(...statements: string[]): Promise<readonly Record<string, unknown>[]> {
    const connection = await createConnection({ socketPath, user: 'root' })
    try {
      let rows: unknown
      for (const statement of statements) [rows] = await connection.query(statement)
      return Array.isArray(rows) ? rows : []
    } finally {
      await connection.end()
    }
  }
  await administer(
    'CREATE DATABASE shop CHARACTER SET utf8mb4',
    "CREATE USER reader@localhost IDENTIFIED BY 'secret'",
    'GRANT ALL ON shop.* TO reader@localhost',
    'GRANT FILE ON *.* TO reader@localhost',
  )
  const variables = {
    CUBEJS_DB_TYPE: 'mysql',
    CUBEJS_DB_SOCKET_PATH: socketPath,
    CUBEJS_DB_NAME: 'shop',
    CUBEJS_DB_USER: 'reader',
    CUBEJS_DB_PASS: 'secret',
  }
  return {
    variables,
    administer,
    async loadZones() {
      const { stdout: sql } = spawnSync('mariadb-tzinfo-to-sql', ['/usr/share/zoneinfo/Europe/Berlin', 'Europe/Berlin'])
      const filled = spawnSync('mariadb', ['--no-defaults', `--socket=${socketPath}`, '-uroot', 'mysql'], {
        input: sql,
      })
      if (filled.status !== 0) throw new Error(`time zones were not loaded: ${filled.stderr}`)
    },
    async open(changes = {}) {
      const sources = readDataSources({ ...variables, ...changes }, { dataDirectory: '/nowhere' })
      const opened = await createMySqlDriver().open(sources.get('default'))
      onTestFinished(() => opened.close())
      return {
        ...opened,
        query: (sql, statement, signal = new AbortController().signal) =>
          runWhole(opened, { sql, ...statement }, signal),
      }
    },
    async restart() {
      await kill()
      child = spawn(server, options, { stdio: 'ignore' })
      await untilListening(socketPath, child)
    },
    async close() {
      await kill()
      await rm(directory, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

async function untilListening(socketPath: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (child.exitCode !== null) throw new Error(`MariaDB ended with ${child.exitCode}`)
    try {
      const connection = await createConnection({ socketPath, user: 'root' })
      await connection.end()
      return
    } catch {
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  }
  throw new Error('MariaDB did not answer within 30 s')
}
