import type { DuckDBConnection } from '@duckdb/node-api'
import { problems } from '../../query-service-error.ts'
import type { DataSource } from '../../shapes/data-source.ts'
import { findRefused } from './admit-statement.ts'

/**
 * The table macros of a database file, in lower case. Its views and macros run inside a query where the gate does not see
 * them, so one that uses what the gate refuses makes the file unusable.
 *
 * @throws QueryServiceError `source_misconfigured`, naming the view or macro
 */
export async function readMacros(connection: DuckDBConnection, source: DataSource): Promise<ReadonlySet<string>> {
  const functions = await readDefinitions(
    connection,
    `SELECT function_name, coalesce(macro_definition, ''), function_type, internal FROM system.main.duckdb_functions()`,
  )
  const views = await readDefinitions(
    connection,
    "SELECT view_name, sql, 'view', internal FROM system.main.duckdb_views()",
  )
  const builtIn = new Set(functions.filter(({ internal, type }) => internal && isTable(type)).map(({ name }) => name))
  const own = [...functions, ...views].filter(({ internal }) => !internal)
  for (const { name, definition } of own) {
    const refused = findRefused(definition, builtIn)
    if (refused === undefined) continue
    throw problems.sourceMisconfigured(
      `${source.variablePrefix}DB_DUCKDB_DATABASE_PATH`,
      `"${name}" in the database uses ${refused}, which is not allowed here. Drop it from the file.`,
    )
  }
  return new Set(own.filter(({ name, type }) => isTable(type) && !builtIn.has(name)).map(({ name }) => name))
}

const isTable = (type: string) => type === 'table' || type === 'table_macro' || type === 'pragma'

/** @param sql gives name, definition, type and whether it is DuckDB's own */
async function readDefinitions(connection: DuckDBConnection, sql: string) {
  const reader = await connection.runAndReadAll(sql)
  return reader.getRows().map(([name, definition, type, internal]) => ({
    name: String(name).toLowerCase(),
    definition: String(definition),
    type: String(type),
    internal: internal === true,
  }))
}
