import { sql } from 'kysely'
import type { Executor } from '../executor.ts'

/** The node says that it lives, by the clock of the database. */
export async function beat(executor: Executor, node: string): Promise<void> {
  await sql`insert into chat_nodes (node, seen_at) values (${node}, now())
    on conflict (node) do update set seen_at = now()`.execute(executor)
}

/** Whether the node said within these seconds that it lives. */
export async function isAlive(executor: Executor, node: string, seconds: number): Promise<boolean> {
  const { rows } = await sql<{ alive: boolean }>`
    select exists (select from chat_nodes where node = ${node} and seen_at > now() - ${seconds} * interval '1 second') as alive
  `.execute(executor)
  return rows[0]?.alive === true
}

/** The node says that it ends. */
export async function removeNode(executor: Executor, node: string): Promise<void> {
  await executor.deleteFrom('chatNodes').where('node', '=', node).execute()
}

/**
 * Removes starts of a node before its present one: a node runs once, so that they are gone, however they ended.
 *
 * @param prefix what the names of all its starts begin with
 */
export async function removeEarlierStarts(executor: Executor, prefix: string, node: string): Promise<void> {
  await executor
    .deleteFrom('chatNodes')
    .where(({ eb, fn, val }) => eb(fn('starts_with', ['node', val(prefix)]), '=', true))
    .where('node', '!=', node)
    .execute()
}

/** Removes nodes that have not lived for a day. */
export async function removeOldNodes(executor: Executor): Promise<void> {
  await sql`delete from chat_nodes where seen_at < now() - interval '1 day'`.execute(executor)
}
