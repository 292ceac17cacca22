import type { SessionStatement } from '@hedron/sql'
import { PgError } from '../protocol/pg-error.ts'
import type { Executable } from './executable.ts'
import type { Session } from './session.ts'

type Text = Extract<SessionStatement, { readonly text: string }>

/** A statement over the model's data. */
export async function queryExecutable(_: Session, { text }: Text, __: readonly number[]): Promise<Executable> {
  throw new PgError('0A000', `statements over the model are not answered here yet: ${text.slice(0, 60)}`)
}

/** How a statement is answered, in words. */
export async function explainExecutable(session: Session, statement: Text): Promise<Executable> {
  return queryExecutable(session, statement, [])
}
