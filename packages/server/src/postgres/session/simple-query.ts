import { readCommands, type SessionStatement } from '@hedron/sql'
import { writeComplete, writeEmpty, writeRowDescription } from '../protocol/backend-messages.ts'
import { PgError } from '../protocol/pg-error.ts'
import { makeExecutable } from './make-executable.ts'
import { sendRows } from './send-rows.ts'
import type { Session } from './session.ts'

/**
 * Answers a Query message. It may hold several statements, as drivers send them when they connect: each is checked by itself, and none
 * is run unless all are of a kind that can be.
 */
export async function answerSimpleQuery(
  session: Session,
  text: string,
  flush: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const statements = await readCommands(text)
  if (statements.length === 0) {
    writeEmpty(session.writer, 'I')
    return
  }
  for (const statement of statements) await answerStatement(session, statement, flush, signal)
}

async function answerStatement(
  session: Session,
  statement: SessionStatement,
  flush: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  checkTransaction(session, statement)
  const executable = await makeExecutable(session, statement, [])
  if (executable.parameters.length > 0) throw new PgError('42P02', 'there is no parameter $1')
  const outcome = await executable.run([], signal)
  if (!outcome.rows) {
    writeComplete(session.writer, outcome.tag)
    return
  }
  const columns = executable.columns ?? []
  const formats = statement.kind === 'fetch' && session.cursors.get(statement.name)?.binary ? ([1] as const) : []
  try {
    writeRowDescription(session.writer, columns, formats)
    const { count } = await sendRows(session.writer, flush, outcome.rows, columns, formats, 0)
    writeComplete(session.writer, outcome.tag(count))
  } finally {
    await outcome.rows.close()
  }
}

const endings: ReadonlySet<SessionStatement['kind']> = new Set(['commit', 'rollback', 'rollbackTo'])

/** A failed transaction answers nothing until it ends, as clients expect. @throws {PgError} 25P02 */
export function checkTransaction({ status }: Session, statement: SessionStatement | null): void {
  if (status === 'E' && statement !== null && !endings.has(statement.kind)) {
    throw new PgError('25P02', 'current transaction is aborted, commands ignored until end of transaction block')
  }
}
