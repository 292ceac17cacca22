import type { DbtModel } from './read-manifest.ts'

/** Where the connection names the database, and a table is found by its schema. */
const withoutDatabase: ReadonlySet<string> = new Set(['postgres', 'athena', 'clickhouse', 'duckdb'])
const withBackticks: ReadonlySet<string> = new Set(['bigquery', 'databricks', 'spark', 'clickhouse', 'mysql'])
/** Where a name without quotes is read in capitals, and dbt itself writes none. */
const inCapitals: ReadonlySet<string> = new Set(['snowflake'])

/** The table that dbt makes of a model, as its database names it. */
export function tableSql(model: DbtModel, adapterType: string | null): string {
  const { database, schema, alias } = model
  const parts = withoutDatabase.has(adapterType ?? '') ? [schema, alias] : [database, schema, alias]
  return parts
    .filter(part => part !== null && part !== '')
    .map(part => quoteName(String(part), adapterType))
    .join('.')
}

/** A column in an expression of its cube. */
export const columnSql = (name: string, adapterType: string | null): string => `{CUBE}.${quoteName(name, adapterType)}`

/** Quotes are written where the name would not be read as it is without. */
export function quoteName(name: string, adapterType: string | null): string {
  const adapter = adapterType ?? ''
  const plain =
    inCapitals.has(adapter) || withBackticks.has(adapter) ? /^[A-Za-z_][A-Za-z0-9_]*$/ : /^[a-z_][a-z0-9_]*$/
  if (plain.test(name)) return name
  const mark = withBackticks.has(adapter) ? '`' : '"'
  return `${mark}${name.replaceAll(mark, mark + mark)}${mark}`
}
