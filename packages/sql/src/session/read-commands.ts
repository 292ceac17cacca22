import { hasSqlDetails, type Node, parse, type VariableSetStmt } from 'libpg-query'
import { CatalogError } from '../catalog/catalog-error.ts'
import { readExecute, readPrepare } from './read-prepare.ts'
import { refused } from './refused.ts'
import type { SessionStatement } from './session-statement.ts'

const mostStatements = 100
const longestText = 1024 * 1024
const deepest = 200

/**
 * Takes a text of a session apart into its statements, by PostgreSQL's own grammar. What would change data, definitions or rights is
 * refused, and with it the whole text.
 *
 * @throws {CatalogError} 42601 with PostgreSQL's message and place, 0A000, 54001.
 */
export async function readCommands(text: string): Promise<readonly SessionStatement[]> {
  checkSize(text)
  const user = /^\s*set\s+(?:session\s+)?user\s*(?:=|to)?\s*(?:'((?:[^']|'')*)'|"([^"]+)"|(\w+))\s*;?\s*$/i.exec(text)
  if (user) {
    const name = user[1]?.replaceAll("''", "'") ?? user[2] ?? user[3] ?? ''
    return [{ kind: 'setUser', user: /^default$/i.test(user[3] ?? '') ? null : name }]
  }
  if (text.trim() === '') return []
  const { stmts = [] } = await parseText(text)
  if (stmts.length > mostStatements)
    throw new CatalogError('54001', `at most ${mostStatements} statements can be sent at once`)
  const bytes = Buffer.from(text)
  return stmts.map(({ stmt, stmt_location: from = 0, stmt_len: length }) => {
    if (!stmt) throw new CatalogError('42601', 'the statement is empty')
    return readStatement(
      stmt,
      bytes
        .subarray(from, length === undefined ? undefined : from + length)
        .toString()
        .trim(),
    )
  })
}

function checkSize(text: string): void {
  if (text.length > longestText)
    throw new CatalogError('54001', `the statement has more than ${longestText} characters`)
  let depth = 0
  // A deep tree would exhaust the grammar's stack; quoted brackets are counted too, which only refuses more.
  for (const character of text) {
    if (character === '(' || character === '[') depth += 1
    else if (character === ')' || character === ']') depth -= 1
    if (depth > deepest) throw new CatalogError('54001', `the statement is nested more than ${deepest} deep`)
  }
}

async function parseText(text: string) {
  try {
    return await parse(text)
  } catch (error) {
    if (!hasSqlDetails(error)) throw error
    const { message = error.message, cursorPosition = 0 } = error.sqlDetails ?? {}
    throw new CatalogError('42601', message, cursorPosition)
  }
}

const transactions: Readonly<Record<string, 'begin' | 'commit' | 'rollback'>> = {
  TRANS_STMT_BEGIN: 'begin',
  TRANS_STMT_START: 'begin',
  TRANS_STMT_COMMIT: 'commit',
  TRANS_STMT_ROLLBACK: 'rollback',
}
const savepoints: Readonly<Record<string, 'savepoint' | 'release' | 'rollbackTo'>> = {
  TRANS_STMT_SAVEPOINT: 'savepoint',
  TRANS_STMT_RELEASE: 'release',
  TRANS_STMT_ROLLBACK_TO: 'rollbackTo',
}

function readStatement(node: Node, text: string): SessionStatement {
  if ('SelectStmt' in node) {
    if (node.SelectStmt.intoClause) throw refused('SELECT INTO')
    if (node.SelectStmt.lockingClause) throw refused('SELECT FOR UPDATE')
    return { kind: 'select', text, tree: node }
  }
  if ('ExplainStmt' in node && node.ExplainStmt.query && 'SelectStmt' in node.ExplainStmt.query) {
    return { kind: 'explain', text, tree: node.ExplainStmt.query }
  }
  if ('VariableSetStmt' in node) return readSet(node.VariableSetStmt)
  if ('VariableShowStmt' in node) return { kind: 'show', name: (node.VariableShowStmt.name ?? '').toLowerCase() }
  if ('TransactionStmt' in node) {
    const { kind = '', savepoint_name: name = '', chain = false } = node.TransactionStmt
    const [transaction, savepoint] = [transactions[kind], savepoints[kind]]
    if (transaction) return { kind: transaction, chain }
    if (savepoint) return { kind: savepoint, name }
    throw refused('Two-phase commit')
  }
  if ('DiscardStmt' in node) return { kind: 'discard', chain: false }
  if ('DeallocateStmt' in node) return { kind: 'deallocate', name: node.DeallocateStmt.name ?? null }
  if ('PrepareStmt' in node) return readPrepare(node.PrepareStmt, text)
  if ('ExecuteStmt' in node) return readExecute(node.ExecuteStmt)
  if ('DeclareCursorStmt' in node) {
    const { portalname = '', options = 0, query } = node.DeclareCursorStmt
    if (!query || !('SelectStmt' in query)) throw refused('A cursor of this')
    // PostgreSQL, nodes/parsenodes.h: BINARY 1, SCROLL 2, WITH HOLD 32.
    if ((options & 2) !== 0) throw refused('A cursor that scrolls')
    const inner = text.replace(/^[\s\S]*?\bcursor\b[\s\S]*?\bfor\b\s*/i, '')
    return {
      kind: 'declare',
      name: portalname,
      hold: (options & 32) !== 0,
      binary: (options & 1) !== 0,
      text: inner,
      tree: query,
    }
  }
  if ('FetchStmt' in node) {
    const { direction = 'FETCH_FORWARD', howMany, portalname = '', ismove } = node.FetchStmt
    const count = Number(howMany ?? 0)
    if (direction !== 'FETCH_FORWARD' || count < 0) throw new CatalogError('55000', 'cursor can only scan forward')
    // ALL is the largest number of the grammar.
    return { kind: ismove ? 'move' : 'fetch', name: portalname, count: count > 2 ** 31 ? null : count }
  }
  if ('ClosePortalStmt' in node) return { kind: 'close', name: node.ClosePortalStmt.portalname ?? null }
  if ('ListenStmt' in node) return { kind: 'nothing', tag: 'LISTEN' }
  if ('UnlistenStmt' in node) return { kind: 'nothing', tag: 'UNLISTEN' }
  throw refused(
    (Object.keys(node)[0] ?? 'This')
      .replace(/Stmt$/, '')
      .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
      .toUpperCase(),
  )
}

function readSet({ kind, name = '', args = [], is_local = false }: VariableSetStmt): SessionStatement {
  const variable = name.toLowerCase()
  if (kind === 'VAR_RESET_ALL') return { kind: 'resetAll' }
  if (kind === 'VAR_SET_DEFAULT' || kind === 'VAR_RESET')
    return { kind: 'set', name: variable, value: null, local: is_local }
  if (kind === 'VAR_SET_MULTI') return { kind: 'nothing', tag: 'SET' }
  return { kind: 'set', name: variable, value: args.map(constantText).join(', '), local: is_local }
}

function constantText(node: Node): string {
  if ('TypeCast' in node && node.TypeCast.arg) return constantText(node.TypeCast.arg)
  if (!('A_Const' in node)) throw refused('SET to what is no constant')
  const { sval, ival, fval, boolval } = node.A_Const
  if (sval) return sval.sval ?? ''
  if (boolval) return String(boolval.boolval ?? false)
  return ival ? String(ival.ival ?? 0) : (fval?.fval ?? '')
}
