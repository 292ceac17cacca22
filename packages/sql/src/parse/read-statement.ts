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
  const chosen = options.flatMap(option => ('DefElem' in option ? [option.DefElem] : []))
  const other = chosen.find(({ defname = '', arg }) => !explainOptions.includes(defname) && !isText(defname, arg))
  if (other) throw unsupported(`EXPLAIN with ${other.defname}`, at, 'It is told in words')
  if (!query || !('SelectStmt' in query)) throw new SqlError('0A000', 'EXPLAIN takes a SELECT', at)
  return {
    kind: 'explain',
    analyze: chosen.some(({ defname, arg }) => defname === 'analyze' && isOn(arg)),
    query: reading.query(query, at),
  }
}

/** The format that there is. */
const isText = (name: string, value: Node | undefined) => name === 'format' && wordOf(value) === 'text'

/** Options of EXPLAIN are on where no value says otherwise. */
const isOn = (value: Node | undefined) => !['false', 'off', '0'].includes(wordOf(value))

function wordOf(value: Node | undefined): string {
  if (value === undefined) return ''
  if ('Integer' in value) return String(value.Integer.ival ?? 0)
  return 'String' in value ? (value.String.sval ?? '').toLowerCase() : ''
}
