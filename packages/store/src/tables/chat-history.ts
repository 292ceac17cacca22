import { sql } from 'kysely'
import type { Executor } from '../executor.ts'
import type { ChatTurnStatus } from '../schema-chat.ts'
import { containing } from './containing.ts'

/** Which threads a list is about. */
export interface ThreadFilter {
  readonly accountId: number
  /** Null: of every deployment of the account. */
  readonly deploymentIds: readonly number[] | null
  /** Undefined: of every owner. */
  readonly userId?: number
  /** Part of the first message or title, or the id. */
  readonly search?: string | undefined
}

export interface ListedThread {
  readonly id: string
  readonly deploymentId: number
  readonly userId: number
  readonly agentId: number | null
  readonly title: string
  readonly firstMessage: string
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly username: string
  readonly email: string | null
  readonly externalId: string | null
  /** Of its last turn. */
  readonly lastStatus: ChatTurnStatus | null
  readonly turns: number
}

/** Threads, the one that was last used first, after the given place. */
export async function listThreads(
  executor: Executor,
  filter: ThreadFilter,
  window: { readonly after: readonly [updatedAt: string, id: string] | undefined; readonly limit: number },
): Promise<ListedThread[]> {
  const { accountId, deploymentIds, userId, search } = filter
  const { after, limit } = window
  return listed(executor, accountId)
    .$if(deploymentIds !== null, query =>
      query.where(({ eb, fn, val }) => eb('chatThreads.deploymentId', '=', fn.any(val([...(deploymentIds ?? [])])))),
    )
    .$if(userId !== undefined, query => query.where('chatThreads.userId', '=', userId ?? 0))
    .$if(search !== undefined && search !== '', query =>
      query.where(({ eb, or }) =>
        or([
          eb('chatThreads.firstMessage', 'ilike', containing(search ?? '')),
          eb('chatThreads.title', 'ilike', containing(search ?? '')),
          eb('chatThreads.id', '=', search ?? ''),
        ]),
      ),
    )
    .$if(after !== undefined, query =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('chatThreads.updatedAt', 'chatThreads.id'),
          '<',
          tuple(new Date(after?.[0] ?? 0), after?.[1] ?? ''),
        ),
      ),
    )
    .orderBy('chatThreads.updatedAt', 'desc')
    .orderBy('chatThreads.id', 'desc')
    .limit(limit)
    .execute()
}

export async function findListedThread(
  executor: Executor,
  accountId: number,
  id: string,
): Promise<ListedThread | undefined> {
  return listed(executor, accountId).where('chatThreads.id', '=', id).executeTakeFirst()
}

function listed(executor: Executor, accountId: number) {
  return executor
    .selectFrom('chatThreads')
    .innerJoin('users', join =>
      join.onRef('users.id', '=', 'chatThreads.userId').onRef('users.accountId', '=', 'chatThreads.accountId'),
    )
    .select([
      'chatThreads.id',
      'chatThreads.deploymentId',
      'chatThreads.userId',
      'chatThreads.agentId',
      'chatThreads.title',
      'chatThreads.firstMessage',
      'chatThreads.createdAt',
      'chatThreads.updatedAt',
      'users.username',
      'users.email',
      'users.externalId',
      sql<ChatTurnStatus | null>`(select status from chat_turns t where t.thread_id = chat_threads.id
        and t.account_id = chat_threads.account_id order by number desc limit 1)`.as('lastStatus'),
      sql<number>`(select count(*)::int from chat_turns t where t.thread_id = chat_threads.id
        and t.account_id = chat_threads.account_id)`.as('turns'),
    ])
    .where('chatThreads.accountId', '=', accountId)
}
