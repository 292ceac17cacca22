import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from './database.ts'
import { codeOf, storeErrors } from './store-error.ts'
import { type StoreLog, silent } from './store-log.ts'

/** What a migration may use: the schema builder, and `sql` with `.execute(transaction)`. Not today's table types. */
export type MigrationTransaction = Pick<Transaction<unknown>, 'schema' | 'getExecutor'>

/**
 * One step of the schema, forward only. It expands (adds tables, columns, indexes) and a later release contracts, so that the
 * last version still runs on the new schema.
 */
export type Migration = {
  /** Unique and in ascending order, such as "0007-query-log". */
  readonly name: string
} & (
  | {
      /** One or more statements; never changed once released. */
      readonly sql: string
    }
  | { up(transaction: MigrationTransaction): Promise<void> }
)

export interface MigrateOptions {
  readonly log?: StoreLog
  /** How long to wait for another node that migrates; default 5 minutes. */
  readonly lockMilliseconds?: number
  /** How long a step may wait for a table that queries hold, before it lets them pass and tries again; default 5 seconds. */
  readonly tableLockMilliseconds?: number
}

/** Of pg_advisory_xact_lock; "hedronmi" in ASCII. Beyond 2^53, so as text. */
const lockKey = '7522529195250838889'
const lockNotAvailable = '55P03'
const attempts = 5

interface Applied {
  readonly name: string
  /** SHA-256 of the statements, in hexadecimal; null where the step is a function. */
  readonly checksum: string | null
}

function checksumOf(migration: Migration): string | null {
  return 'sql' in migration ? createHash('sha256').update(migration.sql).digest('hex') : null
}

/**
 * Brings the schema up to date: applies the missing steps in order, each in a transaction of its own. Nodes that start at once
 * take turns. Steps of a newer version that the database already has are left alone.
 *
 * @returns the names of the steps applied now
 * @throws {StoreError} `migrations_unordered`, `migration_failed`, `migration_locked`
 */
export async function migrate<Schema>(
  database: Pick<Database<Schema>, 'kysely'>,
  migrations: readonly Migration[],
  options: MigrateOptions = {},
): Promise<string[]> {
  const { log = silent } = options
  checkOrder(migrations)
  const kysely = database.kysely.withoutPlugins()
  const present = await readApplied(kysely)
  report(present, migrations, log)
  const appliedNow: string[] = []
  for (const migration of migrations) {
    if (present.has(migration.name)) continue
    if (!(await applyPatiently(kysely, migration, options))) continue
    appliedNow.push(migration.name)
    log('info', `Applied the database migration ${migration.name}`)
  }
  return appliedNow
}

function checkOrder(migrations: readonly Migration[]): void {
  for (const [index, { name }] of migrations.entries()) {
    const before = migrations[index - 1]?.name
    if (before !== undefined && before >= name) throw storeErrors.migrationsUnordered(before, name)
  }
}

async function readApplied(connection: Pick<Kysely<unknown>, 'getExecutor'>): Promise<ReadonlyMap<string, Applied>> {
  const { rows: tables } = await sql<{ exists: boolean }>`
    select to_regclass('schema_migrations') is not null as "exists"`.execute(connection)
  if (tables[0]?.exists !== true) return new Map()
  const { rows } = await sql<Applied>`select name, checksum from schema_migrations`.execute(connection)
  return new Map(rows.map(row => [row.name, row]))
}

function report(present: ReadonlyMap<string, Applied>, migrations: readonly Migration[], log: StoreLog): void {
  const known = new Set(migrations.map(migration => migration.name))
  const newer = [...present.keys()].filter(name => !known.has(name)).sort()
  if (newer.length > 0) {
    log('warn', `The database is ahead of this version; it has ${newer.join(', ')}. Continuing with it as it is.`)
  }
  const changed = migrations.filter(migration => {
    const checksum = present.get(migration.name)?.checksum ?? null
    return checksum !== null && checksum !== checksumOf(migration)
  })
  if (changed.length > 0) {
    log(
      'warn',
      `Changed after the database had applied them: ${changed.map(({ name }) => name).join(', ')}. The change is not made.`,
    )
  }
}

/** A step that waits for a table makes every later query on that table wait too, so it gives up soon and comes back. */
async function applyPatiently<Schema>(
  kysely: Kysely<Schema>,
  migration: Migration,
  { log = silent, lockMilliseconds = 300_000, tableLockMilliseconds = 5_000 }: MigrateOptions,
): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await kysely.transaction().execute(async transaction => {
        await takeTurn(transaction, lockMilliseconds, log)
        return await applyOnce(transaction, migration, tableLockMilliseconds)
      })
    } catch (error) {
      if (error instanceof TurnMissed) throw storeErrors.migrationLocked(lockMilliseconds / 1_000)
      if (attempt >= attempts || codeOf(error) !== lockNotAvailable)
        throw storeErrors.migrationFailed(migration.name, error)
      log('warn', `The migration ${migration.name} waits for a table in use; trying again`)
    }
    await sleep(1_000)
  }
}

class TurnMissed extends Error {}

/** Until the transaction ends no other node migrates. */
async function takeTurn(transaction: MigrationTransaction, milliseconds: number, log: StoreLog): Promise<void> {
  await setLocal(transaction, {
    statement_timeout: 0,
    idle_in_transaction_session_timeout: 0,
    lock_timeout: milliseconds,
  })
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(${lockKey}::bigint) as free`.execute(transaction)
  if (rows[0]?.free === true) return
  log('info', 'Another node is migrating the database; waiting for it')
  try {
    await sql`select pg_advisory_xact_lock(${lockKey}::bigint)`.execute(transaction)
  } catch (error) {
    throw codeOf(error) === lockNotAvailable ? new TurnMissed() : error
  }
}

/** @returns false where another node was quicker */
async function applyOnce(
  transaction: MigrationTransaction,
  migration: Migration,
  tableLockMilliseconds: number,
): Promise<boolean> {
  await setLocal(transaction, { lock_timeout: tableLockMilliseconds })
  await sql`create table if not exists schema_migrations (
    name text primary key,
    applied_at timestamptz not null default now(),
    checksum text
  )`.execute(transaction)
  if ((await readApplied(transaction)).has(migration.name)) return false
  if ('sql' in migration) await sql.raw(migration.sql).execute(transaction)
  else await migration.up(transaction)
  await sql`insert into schema_migrations (name, checksum) values (${migration.name}, ${checksumOf(migration)})`.execute(
    transaction,
  )
  return true
}

async function setLocal(transaction: MigrationTransaction, settings: Record<string, number>): Promise<void> {
  for (const [name, milliseconds] of Object.entries(settings)) {
    await sql`select set_config(${name}, ${String(milliseconds)}, true)`.execute(transaction)
  }
}
