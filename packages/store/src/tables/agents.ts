import type { Selectable, Updateable } from 'kysely'
import type { Executor } from '../executor.ts'
import type { AgentTable } from '../schema-agents.ts'

export type AgentRow = Selectable<AgentTable>

/** The agent that every deployment has, whatever its files say. */
export const autoAgentName = 'auto'

/** In the transaction that makes the deployment. */
export async function insertAutoAgent(executor: Executor, accountId: number, deploymentId: number): Promise<void> {
  await executor.insertInto('agents').values({ accountId, deploymentId, name: autoAgentName }).execute()
}

export async function findAgent(
  executor: Executor,
  accountId: number,
  key: { readonly id: number } | { readonly deploymentId: number; readonly name: string },
): Promise<AgentRow | undefined> {
  const query = executor.selectFrom('agents').selectAll().where('accountId', '=', accountId)
  const found =
    'id' in key
      ? query.where('id', '=', key.id)
      : query.where('deploymentId', '=', key.deploymentId).where('name', '=', key.name)
  return found.executeTakeFirst()
}

/** The agents of some deployments, in the order in which they were made. */
export async function listAgents(
  executor: Executor,
  accountId: number,
  deploymentIds: readonly number[],
): Promise<AgentRow[]> {
  if (deploymentIds.length === 0) return []
  return executor
    .selectFrom('agents')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('deploymentId', 'in', deploymentIds)
    .orderBy('id')
    .execute()
}

/** @returns the agent as it is now; undefined where the deployment has no such one */
export async function updateAgent(
  executor: Executor,
  { accountId, deploymentId, id }: { readonly accountId: number; readonly deploymentId: number; readonly id: number },
  values: Pick<Updateable<AgentTable>, 'allowEmbedding' | 'updatedAt'>,
): Promise<AgentRow | undefined> {
  return executor
    .updateTable('agents')
    .set(values)
    .where('accountId', '=', accountId)
    .where('deploymentId', '=', deploymentId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/**
 * Makes the records what the files say: an agent that is new gets one, found by name; one that the files do not name any more is
 * kept and marked, since threads and addresses have its number.
 */
export async function reconcileAgents(
  executor: Executor,
  { accountId, deploymentId }: { readonly accountId: number; readonly deploymentId: number },
  configured: readonly { readonly name: string; readonly space: string }[],
  at: Date,
): Promise<void> {
  const names = configured.map(({ name }) => name)
  for (const { name, space } of configured) {
    await executor
      .insertInto('agents')
      .values({ accountId, deploymentId, name, space, createdAt: at, updatedAt: at })
      .onConflict(conflict =>
        conflict.columns(['deploymentId', 'name']).doUpdateSet({ space, isConfigured: true, updatedAt: at }),
      )
      .execute()
  }
  await executor
    .updateTable('agents')
    .set({ isConfigured: false, updatedAt: at })
    .where('accountId', '=', accountId)
    .where('deploymentId', '=', deploymentId)
    .where('isConfigured', '=', true)
    .where('name', 'not in', [autoAgentName, ...names])
    .execute()
}
