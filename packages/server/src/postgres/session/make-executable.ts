import { CatalogError, type SessionStatement } from '@hedron/sql'
import { catalogExecutable } from './catalog-executable.ts'
import { commandExecutable } from './command-executable.ts'
import type { Executable } from './executable.ts'
import { executeExecutable, prepareExecutable } from './prepared-executable.ts'
import { explainExecutable, queryExecutable } from './query-executable.ts'
import { callerOf, type Session } from './session.ts'

/** Makes a statement ready to run: over the catalogs, over the model, or a command of the session. */
export async function makeExecutable(
  session: Session,
  statement: SessionStatement,
  declared: readonly number[],
): Promise<Executable> {
  if (statement.kind === 'select') return selectExecutable(session, statement, declared)
  if (statement.kind === 'explain') return explainExecutable(session, statement, declared)
  if (statement.kind === 'prepare') return prepareExecutable(session, statement, makeExecutable)
  if (statement.kind === 'execute') return executeExecutable(session, statement, makeExecutable)
  return commandExecutable(session, statement, select => makeExecutable(session, select, []))
}

async function selectExecutable(
  session: Session,
  statement: Extract<SessionStatement, { kind: 'select' }>,
  declared: readonly number[],
): Promise<Executable> {
  const model = await session.access.catalog(callerOf(session))
  try {
    const catalogs = catalogExecutable(session, model, statement, declared)
    if (catalogs) return catalogs
  } catch (error) {
    if (!(error instanceof CatalogError) || !beyond.has(error.code)) throw error
    // Statements without tables may use what only the planner has, such as decimals.
    return await queryExecutable(session, statement, declared).catch(() => {
      throw error
    })
  }
  return queryExecutable(session, statement, declared)
}

/** Not supported, no such function. */
const beyond: ReadonlySet<string> = new Set(['0A000', '42883'])
