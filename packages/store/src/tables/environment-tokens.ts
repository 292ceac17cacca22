import type { Insertable, Selectable } from 'kysely'
import type { Executor } from '../executor.ts'
import type { EnvironmentTokenTable } from '../schema.ts'

export type EnvironmentTokenRow = Selectable<EnvironmentTokenTable>

/** Keeps the token's claims, and drops those of the environment that have expired. */
export async function insertEnvironmentToken(
  executor: Executor,
  values: Insertable<EnvironmentTokenTable>,
): Promise<void> {
  await executor
    .deleteFrom('environmentTokens')
    .where('accountId', '=', values.accountId)
    .where('branchId', '=', values.branchId)
    .where('expiresAt', '<', values.createdAt)
    .execute()
  await executor.insertInto('environmentTokens').values(values).execute()
}

/** Tokens of an environment that are valid at `now`, oldest first. */
export async function listEnvironmentTokens(
  executor: Executor,
  accountId: number,
  branchId: number,
  now: Date,
  window: { after?: readonly [createdAt: string, id: string] | undefined; offset?: number | undefined; limit: number },
): Promise<EnvironmentTokenRow[]> {
  const { after } = window
  return valid(executor, accountId, branchId, now)
    .selectAll()
    .$if(after !== undefined, query =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('createdAt', 'id'), '>', tuple(new Date(after?.[0] ?? 0), after?.[1] ?? '')),
      ),
    )
    .orderBy('createdAt')
    .orderBy('id')
    .limit(window.limit)
    .$if(window.offset !== undefined, query => query.offset(window.offset ?? 0))
    .execute()
}

export async function countEnvironmentTokens(
  executor: Executor,
  accountId: number,
  branchId: number,
  now: Date,
): Promise<number> {
  const { count } = await valid(executor, accountId, branchId, now)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

const valid = (executor: Executor, accountId: number, branchId: number, now: Date) =>
  executor
    .selectFrom('environmentTokens')
    .where('accountId', '=', accountId)
    .where('branchId', '=', branchId)
    .where('expiresAt', '>', now)
