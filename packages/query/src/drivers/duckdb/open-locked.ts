import { realpath } from 'node:fs/promises'
import { sep } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { InstanceLimits } from '../../engine/messages.ts'
import { problems, QueryServiceError } from '../../query-service-error.ts'
import { safeMessage } from '../../safe-message.ts'
import type { DataSource } from '../../shapes/data-source.ts'
import { readMacros } from './database-macros.ts'
import { type DuckDbSettings, isBelow } from './settings.ts'

export interface LockedDatabase {
  readonly instance: DuckDBInstance
  /** The data folder, links resolved. */
  readonly folder: string
  /** Table macros that the database file brings, in lower case. */
  readonly macros: ReadonlySet<string>
}

/**
 * Opens an instance from which only the files below the data folder can be read and nothing can be written.
 *
 * What holds it (each has a test in test/drivers/duckdb/lockdown.test.ts): no external access but one allowed folder, which
 * DuckDB checks after following links and `..`; extensions neither installed nor loaded; the configuration locked; a
 * database file opened read-only; no spilling to disk. What this cannot hold, the statement gate refuses.
 */
export async function openLocked(
  source: DataSource,
  settings: DuckDbSettings,
  limits: InstanceLimits,
): Promise<LockedDatabase> {
  const folder = await realFolder(source.dataDirectory)
  const databasePath =
    settings.databasePath === undefined ? undefined : await realDatabase(settings.databasePath, folder, source)
  const instance = await create(databasePath, limits).catch(error => {
    throw unavailable(source, error)
  })
  try {
    const connection = await instance.connect()
    await lock(connection, folder)
    const macros = databasePath === undefined ? new Set<string>() : await readMacros(connection, source)
    connection.closeSync()
    return { instance, folder, macros }
  } catch (error) {
    instance.closeSync()
    throw error instanceof QueryServiceError ? error : unavailable(source, error)
  }
}

function create(databasePath: string | undefined, limits: InstanceLimits) {
  return DuckDBInstance.create(databasePath ?? ':memory:', {
    ...(databasePath === undefined ? {} : { access_mode: 'READ_ONLY' }),
    threads: String(limits.threads),
    memory_limit: `${limits.memoryBytes}B`,
    temp_directory: '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    allow_persistent_secrets: 'false',
  })
}

/** In this order: each step takes away what the next would need to be undone. */
async function lock(connection: DuckDBConnection, folder: string): Promise<void> {
  const literal = `'${(folder + sep).replaceAll("'", "''")}'`
  await connection.run(`SET GLOBAL allowed_directories = [${literal}]`)
  await connection.run(`SET GLOBAL TimeZone = 'UTC'`)
  // In 1.5.1 to 1.5.6 this rule gives wrong rows where two parts of a query read the same joins: github.com/duckdb/duckdb/issues/25819
  await connection.run(`SET GLOBAL disabled_optimizers = 'common_subplan'`)
  await connection.run('SET GLOBAL enable_external_access = false')
  await connection.run('SET GLOBAL lock_configuration = true')
}

async function realFolder(directory: string): Promise<string> {
  try {
    return await realpath(directory)
  } catch {
    // Nothing was put there yet. DuckDB follows links when it checks a file, so a link put there later opens nothing.
    return directory
  }
}

async function realDatabase(path: string, folder: string, source: DataSource): Promise<string> {
  const variable = `${source.variablePrefix}DB_DUCKDB_DATABASE_PATH`
  const written = `"${source.settings.DB_DUCKDB_DATABASE_PATH}"`
  const real = await realpath(path).catch(cause => {
    throw problems.sourceMisconfigured(
      variable,
      `there is no file ${written} in the deployment's data folder. Upload it first.`,
      { cause },
    )
  })
  if (isBelow(real, folder)) return real
  throw problems.sourceMisconfigured(variable, `${written} is a link to a file outside the deployment's data folder.`)
}

function unavailable(source: DataSource, error: unknown): QueryServiceError {
  const message = error instanceof Error ? error.message : String(error)
  return problems.sourceUnavailable(source.name, safeMessage(message, source.dataDirectory), { cause: error })
}
