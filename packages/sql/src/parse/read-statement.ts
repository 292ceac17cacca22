import type { Node } from 'libpg-query'
import { SqlError, unsupported } from '../messages/sql-error.ts'
import type { Statement } from '../shapes/tree.ts'
import { kindOf, type Reading } from './read.ts'

const explainOptions = ['analyze', 'verbose', 'costs', 'timing', 'buffers', 'summary', 'settings', 'wal']

/**
 * Reads one statement. Whatever would change data, definitions, rights or the session has no tree here and is refused by its
 * name; statements of a session are read elsewhere, by who has a session.
 */
export function readStatement(reading: Reading, node: Node, at: number): Statement {
  if ('SelectStmt' in node) return { kind: 'select', query: reading.query(node, at) }
  if (!('ExplainStmt' in node)) {
    throw unsupported(
      kindOf(node)
        .replace(/ stmt$/, '')
        .toUpperCase(),
      at,
      'Only statements that read rows can be run',
    )
  }
  const { options = [], query } = node.ExplainStmt
  const names = options.map(option => ('DefElem' in option ? (option.DefElem.defname ?? '') : ''))
  const other = names.find(name => !explainOptions.includes(name))
  if (other !== undefined) throw unsupported(`EXPLAIN with ${other}`, at)
  if (!query || !('SelectStmt' in query)) throw new SqlError('0A000', 'EXPLAIN takes a SELECT', at)
  return { kind: 'explain', analyze: names.includes('analyze'), query: reading.query(query, at) }
}
