import { sql } from 'kysely'
import type { Executor } from '../executor.ts'
import { toBytes, toHex, toHexOrNull } from '../object-id.ts'

/** What was found in the folder of agents of a branch, git ids in hexadecimal. */
export interface AgentFilesRow {
  readonly tree: string
  readonly goodTree: string | null
  readonly problem: string | null
}

export async function findAgentFiles(
  executor: Executor,
  accountId: number,
  branchId: number,
): Promise<AgentFilesRow | undefined> {
  const row = await executor
    .selectFrom('agentFiles')
    .select(['tree', 'goodTree', 'problem'])
    .where('accountId', '=', accountId)
    .where('branchId', '=', branchId)
    .executeTakeFirst()
  return row && { tree: toHex(row.tree), goodTree: toHexOrNull(row.goodTree), problem: row.problem }
}

/** Until the transaction ends, nobody else takes over what the files of the deployment's branches say. */
export async function lockAgentFiles(executor: Executor, deploymentId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`agent files ${deploymentId}`}, 0))`.execute(executor)
}

/** @param values `goodTree` null: the last good one stays. */
export async function saveAgentFiles(
  executor: Executor,
  key: { readonly accountId: number; readonly deploymentId: number; readonly branchId: number },
  { tree, goodTree, problem }: AgentFilesRow,
): Promise<void> {
  const found = { tree: toBytes(tree), problem }
  const good = goodTree === null ? {} : { goodTree: toBytes(goodTree) }
  await executor
    .insertInto('agentFiles')
    .values({ ...key, ...found, goodTree: null, ...good })
    .onConflict(conflict => conflict.column('branchId').doUpdateSet({ ...found, ...good }))
    .execute()
}
