import {
  CatalogError,
  type CatalogModel,
  type CatalogTree,
  catalogsOf,
  placed,
  readCommands,
  SqlError,
} from '@hedron/sql'
import type { Store } from '@hedron/store'
import type { Effects } from '../../effects.ts'
import type { DataCaller } from '../../queries/data-caller.ts'
import { DataError } from '../../queries/data-error.ts'
import { findDatabases } from '../sign-in/find-databases.ts'
import { toSqlDataError } from '../to-sql-error.ts'
import type { CatalogAnswers } from './catalog-answers.ts'

export interface HttpCatalogAnswer {
  readonly columns: readonly { readonly name: string; readonly columnType: string }[]
  readonly rows: readonly (readonly (string | boolean | null)[])[]
}

/** @throws {DataError} */
export type HttpCatalogs = ReturnType<typeof createHttpCatalogs>

interface HttpCatalogNeeds {
  readonly store: Store
  readonly effects: Effects
  readonly catalogs: CatalogAnswers
  /** The catalogs of the model as the caller sees it. @throws {DataError} */
  readonly catalog: (caller: DataCaller) => Promise<CatalogModel>
}

/** What tells of a session, of which requests have none. */
const ofSessions: ReadonlySet<string> = new Set(['pg_stat_activity', 'pg_stat_ssl', 'pg_settings'])

/** Names of catalogs and of commands of a session: what has neither is not looked at. */
const mayConcern =
  /\bpg_|information_schema|^\s*(set|show|reset|begin|start|commit|end|rollback|abort|discard|deallocate|prepare|execute|declare|fetch|move|close|savepoint|release)\b/i

/**
 * Answers statements over `pg_catalog` and `information_schema` that come over HTTP; null for any other. A request is no session: what
 * changes or shows one is refused.
 */
export function createHttpCatalogs({ store, effects, catalogs, catalog }: HttpCatalogNeeds) {
  return async (caller: DataCaller, text: string, signal: AbortSignal): Promise<HttpCatalogAnswer | null> => {
    if (!mayConcern.test(text)) return null
    const tree = await treeOf(text)
    if (tree === null) return null
    const model = await catalog(caller)
    const tables = new Set(model.relations.map(({ name }) => name))
    const read = catalogsOf(tree, name => tables.has(name))
    if (read === null || read.size === 0) return null
    const other = [...read].find(name => ofSessions.has(name))
    if (other !== undefined) throw noSession(`${other} tells of a session`)
    const [database] = await findDatabases(store, String(caller.deploymentId), null)
    try {
      const statement = catalogs.understand({
        model,
        tree,
        text,
        parameterTypes: [],
        session: {
          user: 'cube',
          database: database?.name ?? String(caller.deploymentId),
          version: 'PostgreSQL 15.0 (Hedron)',
          processId: 0,
          now: effects.now().getTime(),
          setting: name => settingValues.get(name.toLowerCase()),
          changeSetting: () => {
            throw new CatalogError('0A000', 'set_config changes a session, and a request over HTTP has none')
          },
        },
        settings: () => [],
        settingValues: () => settingValues,
        deploymentId: caller.deploymentId,
      })
      if (statement.parameters.length > 0) throw new CatalogError('42P02', 'there is no parameter $1')
      const rows = await statement.run([], signal)
      const types = statement.columns.map(({ type }) => type)
      return {
        columns: statement.columns.map(({ name, type }) => ({ name, columnType: columnTypes[type] ?? 'String' })),
        rows: rows.map(row => row.map((cell, index) => toCell(cell, types[index] ?? 'text'))),
      }
    } catch (error) {
      throw toDataError(error, text)
    }
  }
}

/** What a SELECT is read into; null for what is no SELECT, or cannot be read. @throws {DataError} for commands of a session */
async function treeOf(text: string): Promise<CatalogTree | null> {
  const statements = await readCommands(text).catch((error: unknown) => {
    if (error instanceof CatalogError) return []
    throw error
  })
  const [statement] = statements
  if (!statement || statements.length > 1) return null
  if (statement.kind === 'select') return statement.tree
  if (statement.kind === 'explain' || statement.kind === 'nothing') return null
  throw noSession(`${sessionCommands[statement.kind] ?? statement.kind.toUpperCase()} is a command of a session`)
}

const sessionCommands: Readonly<Record<string, string>> = {
  setUser: 'SET USER',
  resetAll: 'RESET ALL',
  rollbackTo: 'ROLLBACK TO',
}

function noSession(what: string): DataError {
  const sqlMessage = `${what}, and a request over HTTP has none`
  const hint = 'Send "timezone" and "cache" beside "query", or connect by the PostgreSQL protocol.'
  return new DataError(400, `${sqlMessage}. ${hint}`, { type: 'UserError', code: '0A000', sqlMessage, hint })
}

/** The error as that of any statement. */
function toDataError(error: unknown, text: string): unknown {
  if (!(error instanceof CatalogError)) return error
  const { code, message, position } = error
  return toSqlDataError(placed(text, new SqlError(code, message, position === undefined ? null : position - 1)))
}

const settingValues: ReadonlyMap<string, string> = new Map([
  ['server_version', '15.0'],
  ['server_version_num', '150000'],
  ['server_encoding', 'UTF8'],
  ['client_encoding', 'UTF8'],
  ['search_path', '"$user", public'],
])

/** Types as clients of this address know them; others are texts. */
const columnTypes: Readonly<Record<string, string>> = {
  bool: 'Boolean',
  int2: 'Int32',
  int4: 'Int32',
  int8: 'Int64',
  oid: 'Int64',
  numeric: 'Double',
  float4: 'Double',
  float8: 'Double',
  date: 'Date',
  timestamp: 'Timestamp',
  timestamptz: 'Timestamp',
  interval: 'Interval',
}

/** Truth values and moments as other answers of this address have them. */
function toCell(text: string | null, type: string): string | boolean | null {
  if (text === null) return null
  if (type === 'bool') return text === 't'
  return columnTypes[type] === 'Timestamp' ? momentText(text) : text
}

/** `2024-01-31 10:00:00.5+00` as `2024-01-31T10:00:00.500`. */
function momentText(text: string): string {
  const [, day, time, fraction = ''] = /^(\S+) (\d\d:\d\d:\d\d)(?:\.(\d+))?/.exec(text) ?? []
  return day === undefined || time === undefined ? text : `${day}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}`
}
