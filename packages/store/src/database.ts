import { setTimeout as sleep } from 'node:timers/promises'
import {
  type IsolationLevel,
  Kysely,
  type KyselyPlugin,
  PostgresDialect,
  type PostgresPoolClient,
  type Transaction,
} from 'kysely'
import { Client, type Pool, type PoolClient, type PoolConfig } from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './postgres/embedded-postgres.ts'
import { createStorePool, type StorePool } from './postgres/pool.ts'
import { isNotKept, isStalePlan, type Preparing, prepareStatements } from './postgres/prepare.ts'
import { codeOf, StoreError, storeErrors } from './store-error.ts'
import { type StoreLog, silent } from './store-log.ts'

/** A PostgreSQL of the team's own, or a directory for the embedded one. */
export type DatabaseTarget = { readonly url: string } | { readonly directory: string }

export interface DatabaseOptions {
  readonly log?: StoreLog
  /** Connections at most; default 10. */
  readonly poolSize?: number
  /** How long to wait for a connection, a server that is just starting included; default 10 seconds. */
  readonly connectMilliseconds?: number
  /** How long a statement may run; default 30 seconds. */
  readonly statementMilliseconds?: number
  readonly plugins?: KyselyPlugin[]
  /** Where root's embedded database goes when the server's user can't enter the directory; default /var/lib/hedron. */
  readonly systemDirectory?: string
  /** Between 0 and 1, to spread retries; default Math.random. */
  readonly random?: () => number
}

export interface TransactionOptions {
  /** Default: read committed. */
  readonly isolation?: IsolationLevel
  /** How often it is tried in all when it loses against another transaction; default 5. */
  readonly attempts?: number
}

export interface Database<Schema> {
  /** Builds and runs queries. Each takes a connection of the pool for itself; see `transaction` for several that belong together. */
  readonly kysely: Kysely<Schema>
  /** The pool below, for libraries that want one (pg-boss). Don't end it. */
  readonly pool: Pool
  /** For people: host, port and database; never the password. */
  readonly where: string
  /** Of the server, such as "18.4". */
  readonly serverVersion: string
  /** One sentence for the operator, where the embedded database is not where it was asked for. */
  readonly note?: string
  /**
   * Runs `work` in a transaction: all or nothing. It is run again when the database ends it in favour of another transaction
   * (serialization failure, deadlock), so it must have no effects outside of `transaction`.
   */
  transaction<Result>(
    work: (transaction: Transaction<Schema>) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>
  /** Ends every connection, then the embedded server. Bounded; can be called more than once. */
  close(): Promise<void>
}

const oldestVersion = 150_000

/**
 * Connects to the metadata database, starting the embedded one where a directory is given.
 *
 * @throws {StoreError} when it can't be reached, refuses the login, or is older than PostgreSQL 15; never shows a password
 */
export async function openDatabase<Schema>(
  target: DatabaseTarget,
  options: DatabaseOptions = {},
): Promise<Database<Schema>> {
  const { log = silent, systemDirectory } = options
  if ('url' in target) return await connect<Schema>(readUrl(target.url), undefined, options)
  const server = await startEmbeddedPostgres({
    directory: target.directory,
    log,
    ...(systemDirectory === undefined ? {} : { systemDirectory }),
  })
  try {
    return await connect<Schema>({ ...server.connection, ssl: false }, server, options)
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function connect<Schema>(
  config: PoolConfig,
  server: EmbeddedPostgres | undefined,
  options: DatabaseOptions,
): Promise<Database<Schema>> {
  const { log = silent, poolSize = 10, connectMilliseconds = 10_000, statementMilliseconds = 30_000 } = options
  const where = describe(config)
  const store = createStorePool(config, { log, size: poolSize, connectMilliseconds, statementMilliseconds })
  try {
    const serverVersion = await checkServer(store, where)
    const { pool } = store
    const preparing: Preparing = { isOn: true }
    /** The query builder knows a connection by the object. */
    const prepared = new WeakMap<PoolClient, PostgresPoolClient>()
    const connectPrepared = async () => {
      const client = await store.connect()
      const known = prepared.get(client) ?? prepareStatements(client, preparing)
      prepared.set(client, known)
      return known
    }
    const kysely = new Kysely<Schema>({
      dialect: new PostgresDialect({
        pool: { connect: connectPrepared, end: store.end, options: pool.options },
        controlClient: Client,
      }),
      plugins: options.plugins ?? [],
    })
    let closed: Promise<void> | undefined
    const close = async () => {
      await store.end()
      await server?.stop()
    }
    return {
      kysely,
      pool,
      where,
      serverVersion,
      ...(server?.note === undefined ? {} : { note: server.note }),
      transaction: (work, { isolation, attempts = 5 } = {}) =>
        retry(attempts, options.random ?? Math.random, () => {
          const builder = kysely.transaction()
          return (isolation === undefined ? builder : builder.setIsolationLevel(isolation)).execute(work)
        }),
      close: () => (closed ??= close()),
    }
  } catch (error) {
    await store.end()
    throw error
  }
}

/** Lost against a concurrent transaction, or met a statement that is prepared no more; the same work may succeed when run again. */
const isRetryable = (error: unknown) =>
  ['40001', '40P01'].includes(codeOf(error) ?? '') || isStalePlan(error) || isNotKept(error)

async function retry<Result>(attempts: number, random: () => number, run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt >= attempts || !isRetryable(error)) throw error
    }
    await sleep(10 * 2 ** attempt * (0.5 + random()))
  }
}

function readUrl(url: string): PoolConfig {
  // A password with a bare / ? or # in it ends the authority early, and would be shown as host, port or database.
  const [, authority] = /^(?:postgres|postgresql|socket):\/*([^/?#]*)/.exec(url) ?? []
  if (authority === undefined || (url.includes('@') && !authority.includes('@'))) throw storeErrors.urlInvalid()
  const config = { connectionString: url }
  describe(config) // parses it
  return config
}

function describe(config: PoolConfig): string {
  try {
    const { host, port, database } = new Client(config)
    return `${database ?? ''} on ${host}${host.startsWith('/') ? '' : `:${port}`}`
  } catch (error) {
    // The parser's own messages may quote the URL, except where they speak of a file it names.
    throw codeOf(error) === 'ENOENT' || codeOf(error) === 'EACCES'
      ? storeErrors.unreachable('of the URL', error)
      : storeErrors.urlInvalid()
  }
}

interface ServerFacts {
  readonly number: number
  readonly version: string
  readonly encoding: string
}

async function checkServer(store: StorePool, where: string): Promise<string> {
  const { number, version, encoding } = await readServerFacts(store, where)
  if (number < oldestVersion) throw storeErrors.versionTooOld(where, version)
  if (encoding !== 'UTF8') throw storeErrors.encodingUnsuitable(where, encoding)
  return version
}

async function readServerFacts(store: StorePool, where: string): Promise<ServerFacts> {
  try {
    const client = await store.connect()
    try {
      const { rows } = await client.query<ServerFacts>(
        `select current_setting('server_version_num')::int as number, current_setting('server_encoding') as encoding,
           split_part(current_setting('server_version'), ' ', 1) as version`,
      )
      const [facts] = rows
      if (facts === undefined) throw new Error('a select without from returned no row')
      return facts
    } finally {
      client.release()
    }
  } catch (error) {
    if (error instanceof StoreError) throw error
    const code = codeOf(error) ?? ''
    throw code.startsWith('28') || code === '3D000' || code === '42501'
      ? storeErrors.loginRefused(where, error)
      : storeErrors.unreachable(where, error)
  }
}
