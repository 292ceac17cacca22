import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { type Database, type DatabaseOptions, openDatabase } from './database.ts'
import { locateBinaries } from './postgres/binaries.ts'
import { lockDirectory } from './postgres/directory-lock.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './postgres/embedded-postgres.ts'
import { stopOrphan } from './postgres/orphan.ts'
import type { Connection } from './postgres/server.ts'
import { silent } from './store-log.ts'

/** An empty database of its own for a test; `close` drops it. */
export interface TestDatabase<Schema> extends Database<Schema> {
  /** For what is started as another process. Carries the password. */
  readonly url: string
}

export interface TestDatabaseOptions extends DatabaseOptions {
  /** Instead of `HEDRON_TEST_DATABASE_URL`; empty: an embedded one. */
  readonly serverUrl?: string
}

/** A PostgreSQL server for tests, in a temporary directory. */
export interface TestServer {
  readonly url: string
  stop(): Promise<void>
}

/** One of which tests that need a restart are the only users. */
export interface RestartableServer extends TestServer {
  /** Stops it and starts it again with the same data, at the same address. */
  restart(): Promise<void>
}

/**
 * Makes an empty database on the server of `HEDRON_TEST_DATABASE_URL`, else on an embedded one that is started for the first
 * database of this process and stopped with the last.
 */
export async function createTestDatabase<Schema>(options: TestDatabaseOptions = {}): Promise<TestDatabase<Schema>> {
  const { serverUrl = process.env.HEDRON_TEST_DATABASE_URL, ...databaseOptions } = options
  const server =
    serverUrl === undefined || serverUrl === '' ? await shareServer() : { url: serverUrl, leave: async () => {} }
  const name = `hedron_test_${randomBytes(8).toString('hex')}`
  try {
    await runOn(server.url, `create database ${name} encoding 'UTF8' template template0`)
    const url = withDatabase(server.url, name)
    const database = await openDatabase<Schema>({ url }, databaseOptions)
    let closed: Promise<void> | undefined
    const close = async () => {
      await database.close()
      await runOn(server.url, `drop database if exists ${name} with (force)`)
      await server.leave()
    }
    return { ...database, url, close: () => (closed ??= close()) }
  } catch (error) {
    await server.leave()
    throw error
  }
}

const directoryPrefix = 'hedron-test-'
const abandonedMilliseconds = 3_600_000

/** Starts an embedded server that trades durability for speed. Removes what runs that were killed left behind. */
export async function startTestServer(): Promise<RestartableServer> {
  await removeAbandoned(tmpdir())
  const directory = await mkdtemp(join(tmpdir(), directoryPrefix))
  const remove = () => rm(directory, { recursive: true, force: true, maxRetries: 3 })
  try {
    const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
    const start = (): Promise<EmbeddedPostgres> => startEmbeddedPostgres({ directory, log: silent, settings })
    let server = await start()
    return {
      url: toUrl(server.connection),
      async restart() {
        await server.stop()
        server = await start()
      },
      async stop() {
        await server.stop()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}

async function removeAbandoned(folder: string): Promise<void> {
  const { folder: native } = await locateBinaries()
  for (const name of await readdir(folder)) {
    if (!name.startsWith(directoryPrefix)) continue
    const home = join(folder, name)
    try {
      if (Date.now() - (await stat(home)).mtimeMs < abandonedMilliseconds) continue
      const lock = await lockDirectory(home)
      try {
        await stopOrphan({ home, data: join(home, 'data'), native }, silent)
        await rm(home, { recursive: true, force: true })
      } finally {
        lock.release()
      }
    } catch {
      // in use, or somebody else's
    }
  }
}

/** The server of this process's databases, and how many of them there are. */
let shared: { readonly server: Promise<TestServer>; users: number } | undefined

async function shareServer(): Promise<{ url: string; leave(): Promise<void> }> {
  shared ??= { server: startTestServer(), users: 0 }
  const current = shared
  current.users++
  const leave = async () => {
    current.users--
    if (current.users > 0) return
    if (shared === current) shared = undefined
    await (await current.server).stop()
  }
  try {
    return { url: (await current.server).url, leave }
  } catch (error) {
    if (shared === current) shared = undefined
    throw error
  }
}

function toUrl({ host, port, user, password, database }: Connection): string {
  const url = new URL(`postgres://localhost/${database}`)
  url.username = user
  url.password = password
  url.searchParams.set('host', host)
  url.searchParams.set('port', String(port))
  return url.href
}

function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

async function runOn(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
