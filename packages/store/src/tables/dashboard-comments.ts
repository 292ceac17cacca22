import type { Selectable } from 'kysely'
import type { Executor } from '../executor.ts'
import type { DashboardCommentTable } from '../schema-content.ts'

export type CommentRow = Selectable<DashboardCommentTable>

/** The comments of one embed tenant on one dashboard; no other tenant sees them. */
export interface CommentScope {
  readonly accountId: number
  readonly dashboardId: number
  readonly embedTenantId: number
}

/** Which threads are meant. */
export type ThreadState = 'open' | 'resolved' | 'all'

/** Comments that began a thread, newest first, after the id `after`. */
export async function listThreadRoots(
  executor: Executor,
  scope: CommentScope,
  options: { state: ThreadState; after: number | undefined; limit: number },
): Promise<CommentRow[]> {
  const { state, after } = options
  return inScope(executor, scope)
    .where('parentId', 'is', null)
    .$if(state === 'open', query => query.where('resolvedAt', 'is', null))
    .$if(state === 'resolved', query => query.where('resolvedAt', 'is not', null))
    .$if(after !== undefined, query => query.where('id', '<', after ?? 0))
    .orderBy('id', 'desc')
    .limit(options.limit)
    .execute()
}

/** Replies to threads, oldest first. */
export async function listReplies(
  executor: Executor,
  scope: CommentScope,
  rootIds: readonly number[],
): Promise<CommentRow[]> {
  if (rootIds.length === 0) return []
  return inScope(executor, scope).where('parentId', 'in', rootIds).orderBy('id').execute()
}

/** How users of the account are called, by id; those who are gone are not in it. */
export async function authorNames(
  executor: Executor,
  { accountId }: CommentScope,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (userIds.length === 0) return new Map()
  const rows = await executor
    .selectFrom('users')
    .select(['id', 'firstName', 'username'])
    .where('accountId', '=', accountId)
    .where('id', 'in', userIds)
    .execute()
  return new Map(rows.map(({ id, firstName, username }) => [id, firstName ?? username]))
}

/** A comment that nobody else changes until the transaction ends. */
export async function lockComment(
  transaction: Executor,
  scope: CommentScope,
  id: number,
): Promise<CommentRow | undefined> {
  return inScope(transaction, scope).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

export async function insertComment(
  transaction: Executor,
  scope: CommentScope,
  values: { parentId: number | null; userId: number; body: string; createdAt: Date },
): Promise<CommentRow> {
  return transaction
    .insertInto('dashboardComments')
    .values({ ...scope, ...values })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function editComment(
  transaction: Executor,
  scope: CommentScope,
  id: number,
  body: string,
  at: Date,
): Promise<CommentRow> {
  return change(transaction, scope)
    .set({ body, editedAt: at })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Empties a comment and, where it began a thread, the replies to it; their places stay. */
export async function removeComment(transaction: Executor, scope: CommentScope, id: number, at: Date): Promise<void> {
  await change(transaction, scope)
    .set({ body: '', removedAt: at })
    .where(({ eb, or }) => or([eb('id', '=', id), eb('parentId', '=', id)]))
    .where('removedAt', 'is', null)
    .execute()
}

/** Marks a thread as resolved, or as open where `by` is null. */
export async function resolveThread(
  transaction: Executor,
  scope: CommentScope,
  id: number,
  by: { userId: number; at: Date } | null,
): Promise<CommentRow> {
  return change(transaction, scope)
    .set({ resolvedAt: by?.at ?? null, resolvedBy: by?.userId ?? null })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

const inScope = (executor: Executor, { accountId, dashboardId, embedTenantId }: CommentScope) =>
  executor
    .selectFrom('dashboardComments')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('dashboardId', '=', dashboardId)
    .where('embedTenantId', '=', embedTenantId)

const change = (transaction: Executor, { accountId, dashboardId, embedTenantId }: CommentScope) =>
  transaction
    .updateTable('dashboardComments')
    .where('accountId', '=', accountId)
    .where('dashboardId', '=', dashboardId)
    .where('embedTenantId', '=', embedTenantId)
