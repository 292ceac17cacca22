import { sql } from 'kysely'
import type { Executor } from '../executor.ts'

export interface DevSession {
  readonly accountId: number
  readonly deploymentId: number
  readonly credential: string
  readonly userId: number | null
  readonly branchId: number
}

/** The branch that a credential's dev-mode session points at; undefined where none is open. */
export async function findSessionBranchId(
  executor: Executor,
  accountId: number,
  deploymentId: number,
  credential: string,
): Promise<number | undefined> {
  const row = await executor
    .selectFrom('devSessions')
    .select('branchId')
    .where('accountId', '=', accountId)
    .where('deploymentId', '=', deploymentId)
    .where('credential', '=', credential)
    .executeTakeFirst()
  return row?.branchId
}

/** Opens the credential's session on a branch, or points the open one there. The branch must be locked. */
export async function openSession(executor: Executor, session: DevSession): Promise<void> {
  await executor
    .insertInto('devSessions')
    .values(session)
    .onConflict(conflict =>
      conflict.columns(['deploymentId', 'credential']).doUpdateSet({
        branchId: session.branchId,
        userId: session.userId,
        startedAt: sql<Date>`now()`,
      }),
    )
    .execute()
}

export async function closeSession(
  executor: Executor,
  accountId: number,
  deploymentId: number,
  credential: string,
): Promise<void> {
  await executor
    .deleteFrom('devSessions')
    .where('accountId', '=', accountId)
    .where('deploymentId', '=', deploymentId)
    .where('credential', '=', credential)
    .execute()
}

/** Ends all sessions of a credential. */
export async function closeSessionsOf(executor: Executor, accountId: number, credential: string): Promise<void> {
  await executor
    .deleteFrom('devSessions')
    .where('accountId', '=', accountId)
    .where('credential', '=', credential)
    .execute()
}
