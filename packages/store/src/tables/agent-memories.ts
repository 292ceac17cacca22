import { type Selectable, sql } from 'kysely'
import type { Executor } from '../executor.ts'
import type { AgentMemoryTable } from '../schema-agents.ts'

export type AgentMemoryRow = Selectable<AgentMemoryTable>

/** In which space of which deployment, and who reads or writes. */
export interface MemoryOwner {
  readonly accountId: number
  readonly deploymentId: number
  readonly space: string
  readonly userId: number
}

/**
 * What its owner kept, and with `shared` also what those of his kind kept in the same space: the account's own users one another's,
 * external users those of their embed tenant, and where they have none, nobody's but their own. The newest first.
 */
export async function listMemories(
  executor: Executor,
  { accountId, deploymentId, space, userId }: MemoryOwner,
  { shared, most }: { readonly shared: boolean; readonly most: number },
): Promise<AgentMemoryRow[]> {
  return executor
    .selectFrom('agentMemories')
    .selectAll('agentMemories')
    .innerJoin('users', join =>
      join.on('users.id', '=', userId).onRef('users.accountId', '=', 'agentMemories.accountId'),
    )
    .where('agentMemories.accountId', '=', accountId)
    .where('agentMemories.deploymentId', '=', deploymentId)
    .where('agentMemories.space', '=', space)
    .where(({ eb, and, or, ref }) =>
      or([
        eb('agentMemories.userId', '=', userId),
        ...(shared
          ? [
              and([eb('users.externalId', 'is', null), eb('agentMemories.isExternal', '=', false)]),
              and([
                eb('users.externalId', 'is not', null),
                eb('agentMemories.isExternal', '=', true),
                eb('agentMemories.embedTenantId', '=', ref('users.embedTenantId')),
              ]),
            ]
          : []),
      ]),
    )
    .orderBy('agentMemories.id', 'desc')
    .limit(most)
    .execute()
}

/** Holds who keeps something, so that limits count what others of his requests keep meanwhile. */
export async function countMemories(
  transaction: Executor,
  { accountId, deploymentId, space, userId }: MemoryOwner,
): Promise<{ readonly own: number; readonly all: number }> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`agent_memories ${deploymentId} ${space}`}, 0))`.execute(
    transaction,
  )
  const { own, all } = await transaction
    .selectFrom('agentMemories')
    .select(({ fn, eb }) => [
      fn.countAll<number>().as('all'),
      fn
        .countAll<number>()
        .filterWhere(eb('userId', '=', userId))
        .as('own'),
    ])
    .where('accountId', '=', accountId)
    .where('deploymentId', '=', deploymentId)
    .where('space', '=', space)
    .executeTakeFirstOrThrow()
  return { own: Number(own), all: Number(all) }
}

/** Keeps a text as that of a user, with his kind and embed tenant as they are now; the same text is kept once. */
export async function insertMemory(
  executor: Executor,
  { accountId, deploymentId, space, userId }: MemoryOwner,
  text: string,
  createdAt: Date,
): Promise<void> {
  await sql`
    insert into agent_memories (account_id, deployment_id, space, user_id, is_external, embed_tenant_id, text, created_at)
    select account_id, ${deploymentId}, ${space}, id, external_id is not null, embed_tenant_id, ${text}, ${createdAt}
    from users where account_id = ${accountId} and id = ${userId}
    on conflict do nothing`.execute(executor)
}

/** Forgets what a user kept himself: these, or all. @returns how many there were */
export async function deleteMemories(
  executor: Executor,
  { accountId, deploymentId, space, userId }: MemoryOwner,
  ids: readonly number[] | 'all',
): Promise<number> {
  if (ids !== 'all' && ids.length === 0) return 0
  const query = executor
    .deleteFrom('agentMemories')
    .where('accountId', '=', accountId)
    .where('deploymentId', '=', deploymentId)
    .where('space', '=', space)
    .where('userId', '=', userId)
  const { numDeletedRows } = await (ids === 'all' ? query : query.where('id', 'in', ids)).executeTakeFirst()
  return Number(numDeletedRows)
}
