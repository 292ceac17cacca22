import type { SessionStatement } from '@hedron/sql'
import { catalogExecutable } from './catalog-executable.ts'
import { commandExecutable } from './command-executable.ts'
import type { Executable } from './executable.ts'
import { explainExecutable, queryExecutable } from './query-executable.ts'
import type { Session } from './session.ts'

/** Makes a statement ready to run: over the catalogs, over the model, or a command of the session. */
export async function makeExecutable(
  session: Session,
  statement: SessionStatement,
  declared: readonly number[],
): Promise<Executable> {
  if (statement.kind === 'select') {
    const model = await session.access.catalog(session.identity.caller)
    return catalogExecutable(session, model, statement, declared) ?? queryExecutable(session, statement, declared)
  }
  if (statement.kind === 'explain') return explainExecutable(session, statement)
  return commandExecutable(session, statement, select => makeExecutable(session, select, []))
}
