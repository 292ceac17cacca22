import type { ExecuteStmt, Node, PrepareStmt } from 'libpg-query'
import { CatalogError } from '../catalog/catalog-error.ts'
import { refused } from './refused.ts'
import type { SessionStatement } from './session-statement.ts'

/**
 * `PREPARE name (types) AS SELECT …`. What follows AS is kept as it was written, and read by itself when it is made ready.
 *
 * @throws {CatalogError} 0A000 for what does not read
 */
export function readPrepare(
  { name = '', argtypes = [], query }: PrepareStmt,
  text: string,
): Extract<SessionStatement, { kind: 'prepare' }> {
  if (!query || !('SelectStmt' in query)) throw refused('PREPARE of anything but a SELECT')
  if (query.SelectStmt.intoClause) throw refused('SELECT INTO')
  const [before] = heading.exec(text) ?? []
  // Names such as U&"…" and types of several kinds of brackets are not told from the statement.
  if (before === undefined) throw refused('PREPARE with such a name or such types')
  return { kind: 'prepare', name, types: argtypes.map(typeName), text: text.slice(before.length) }
}

const space = String.raw`(?:\s|--[^\n]*(?:\n|$)|/\*[^*]*(?:\*(?!/)[^*]*)*\*/)`
const quotedName = '"(?:[^"]|"")*"'
const types = String.raw`\((?:[^()"']|${quotedName}|\([^()"']*\))*\)`
const heading = new RegExp(
  `^${space}*prepare${space}*(?:${quotedName}|(?<=\\s|/)[^\\s"'(/*-]+)${space}*(?:${types}${space}*)?as(?![\\w$"])${space}*`,
  'iu',
)

function typeName(node: Node): string {
  if (!('TypeName' in node)) throw refused('PREPARE with such a type')
  const { names = [], arrayBounds = [] } = node.TypeName
  const last = names.at(-1)
  const name = last && 'String' in last ? (last.String.sval ?? '') : ''
  return arrayBounds.length > 0 ? `_${name}` : name
}

/**
 * `EXECUTE name (values)`: the values are expressions, computed before the statement and apart from it.
 *
 * @throws {CatalogError} 0A000 for a value that is a query, as in PostgreSQL
 */
export function readExecute({ name = '', params = [] }: ExecuteStmt): Extract<SessionStatement, { kind: 'execute' }> {
  if (params.some(holdsQuery)) throw new CatalogError('0A000', 'cannot use subquery in EXECUTE parameter')
  return { kind: 'execute', name, values: params }
}

function holdsQuery(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsQuery)
  if (typeof value !== 'object' || value === null) return false
  return 'SubLink' in value || Object.values(value).some(holdsQuery)
}
