import type { Node, VariableSetStmt } from 'libpg-query'
import { SqlError, unsupported } from '../messages/sql-error.ts'
import type { Command, Expression, Statement } from '../shapes/tree.ts'
import { kindOf, only, type Reading } from './read.ts'
import { readQuery } from './read-query.ts'

/** Reads one statement. Whatever would change data, definitions or rights has no tree here and is refused by its name. */
export function readStatement(reading: Reading, node: Node, at: number): Statement {
  if ('SelectStmt' in node) return { kind: 'select', query: readQuery(reading, node.SelectStmt, at) }
  if ('ExplainStmt' in node) {
    const options = (node.ExplainStmt.options ?? []).map(option => ('DefElem' in option ? option.DefElem.defname : ''))
    const other = options.find(option => !['analyze', 'verbose', 'costs', 'timing', 'buffers'].includes(option ?? ''))
    if (other !== undefined) throw unsupported(`EXPLAIN with ${other}`, at)
    const { query } = node.ExplainStmt
    if (!query) throw new SqlError('42601', 'EXPLAIN of nothing', at)
    const statement = readStatement(reading, query, at)
    if (statement.kind !== 'select') throw unsupported('EXPLAIN of this statement', at)
    return { kind: 'explain', analyze: options.includes('analyze'), statement }
  }
  return readCommand(reading, node, at)
}

const transactions: Readonly<Record<string, 'begin' | 'commit' | 'rollback' | 'other'>> = {
  TRANS_STMT_BEGIN: 'begin',
  TRANS_STMT_START: 'begin',
  TRANS_STMT_COMMIT: 'commit',
  TRANS_STMT_ROLLBACK: 'rollback',
  TRANS_STMT_SAVEPOINT: 'other',
  TRANS_STMT_RELEASE: 'other',
  TRANS_STMT_ROLLBACK_TO: 'other',
}

function readCommand(reading: Reading, node: Node, at: number): Command {
  if ('VariableSetStmt' in node) return readSet(reading, node.VariableSetStmt, at)
  if ('VariableShowStmt' in node) return { kind: 'show', name: (node.VariableShowStmt.name ?? '').toLowerCase() }
  if ('TransactionStmt' in node) {
    const action = transactions[node.TransactionStmt.kind ?? '']
    if (!action) throw unsupported('This kind of transaction', at)
    return { kind: 'transaction', action }
  }
  if ('DiscardStmt' in node) return { kind: 'discard' }
  if ('DeallocateStmt' in node) return { kind: 'deallocate', name: node.DeallocateStmt.name ?? null }
  if ('PrepareStmt' in node) {
    const { name, argtypes, query } = node.PrepareStmt
    if (argtypes) throw unsupported('PREPARE with types', at)
    if (name === undefined || !query) throw new SqlError('42601', 'PREPARE of nothing', at)
    return { kind: 'prepare', name, statement: { kind: 'select', query: reading.query(query, at) } }
  }
  if ('ExecuteStmt' in node) {
    const values = (node.ExecuteStmt.params ?? []).map(value => constantText(reading.expression(value)))
    return { kind: 'execute', name: node.ExecuteStmt.name ?? '', arguments: values }
  }
  if ('DeclareCursorStmt' in node) {
    const { portalname, query, options = 0 } = node.DeclareCursorStmt
    if (portalname === undefined || !query) throw new SqlError('42601', 'A cursor of nothing', at)
    // Bit 1 of the options is BINARY, bit 2 SCROLL (PostgreSQL, nodes/parsenodes.h).
    if ((options & 2) !== 0) throw unsupported('SCROLL of a cursor', at)
    return {
      kind: 'declareCursor',
      name: portalname,
      query: reading.query(query, at),
      binary: (options & 1) !== 0,
    }
  }
  if ('FetchStmt' in node) {
    const { direction = 'FETCH_FORWARD', howMany, portalname, ismove = false } = node.FetchStmt
    const count = Number(howMany ?? 0)
    if (direction !== 'FETCH_FORWARD' || count < 0) throw unsupported('FETCH in this direction', at)
    // ALL is the largest number that the grammar has.
    return { kind: 'fetch', name: portalname ?? '', count: count > 2 ** 31 ? null : count, move: ismove }
  }
  if ('ClosePortalStmt' in node) return { kind: 'closeCursor', name: node.ClosePortalStmt.portalname ?? null }
  throw unsupported(statementName(node), at, 'Only statements that read can be run')
}

const statementName = (node: Node) =>
  kindOf(node)
    .replace(/ stmt$/, '')
    .toUpperCase()

function readSet(reading: Reading, statement: VariableSetStmt, at: number): Command {
  only(statement, ['kind', 'name', 'args', 'is_local', 'location', 'jumble_args'], 'SET', at)
  const name = (statement.name ?? '').toLowerCase()
  const local = statement.is_local ?? false
  switch (statement.kind) {
    case 'VAR_RESET_ALL':
      return { kind: 'resetAll' }
    case 'VAR_SET_DEFAULT':
    case 'VAR_RESET':
      return { kind: 'set', name, value: null, local }
    case 'VAR_SET_MULTI': {
      const value = (statement.args ?? []).map(option => {
        const argument = 'DefElem' in option ? option.DefElem.arg : undefined
        return argument ? (constantText(reading.expression(argument)) ?? '') : ''
      })
      return { kind: 'set', name, value, local }
    }
    case 'VAR_SET_VALUE':
    case undefined: {
      const value = (statement.args ?? []).map(argument => constantText(reading.expression(argument)) ?? '')
      return { kind: 'set', name, value, local }
    }
    default:
      throw unsupported('This form of SET', at)
  }
}

function constantText(expression: Expression): string | null {
  if (expression.kind === 'cast') return constantText(expression.operand)
  if (expression.kind === 'operator' && expression.operator === '-' && expression.left === null) {
    return `-${constantText(expression.right) ?? ''}`
  }
  if (expression.kind !== 'constant') throw unsupported('A value that is no constant', expression.at)
  const { value } = expression
  return value.type === 'null' ? null : String(value.value)
}
