import { CodedError } from '@hedron/contract'
import { dashboardComments, type Executor, embedUsers } from '@hedron/store'
import type { WorkbooksNeed } from '../../../content/workbooks/workbook-needs.ts'
import type { Operations } from '../../../operations.ts'
import { page } from '../../../page.ts'
import { type Commenter, findCommenter } from './commenter.ts'
import { showComment, showThread } from './show-comment.ts'

type CommentOperations = Pick<
  Operations,
  | 'listDashboardComments'
  | 'createDashboardComment'
  | 'listMentionableEmbedUsers'
  | 'updateDashboardComment'
  | 'removeDashboardComment'
  | 'setDashboardCommentResolved'
>

/** Threads on a page come whole, so both are bounded. */
const largestPage = 100
const largestThread = 200

/** Comments on embedded dashboards. Their text is the caller's, kept and answered as it is: it is for whoever shows it to escape. */
export function createCommentOperations(need: WorkbooksNeed): CommentOperations {
  const { store, effects, audit } = need

  return {
    async listDashboardComments(caller, { params, query }) {
      const who = await findCommenter(need, caller, params.publicId)
      const state = query.resolvedOnly ? 'resolved' : query.includeResolved ? 'all' : 'open'
      const first = Math.min(query.first ?? largestPage, largestPage)
      const roots = await page(
        'comment-threads',
        { ...query, first },
        ({ limit, after }: { limit: number; after: readonly [number] | undefined }) =>
          dashboardComments.listThreadRoots(store.kysely, who.scope, { state, after: after?.[0], limit }),
        row => [row.id] as const,
        row => row,
      )
      const ids = roots.items.map(({ id }) => id)
      const replies = await dashboardComments.listReplies(store.kysely, who.scope, ids)
      const names = await namesOf(store.kysely, who, [...roots.items, ...replies])
      const items = roots.items.map(root => showThread(who, root, replies, names))
      return { items, data: items, pageInfo: roots.pageInfo }
    },

    async createDashboardComment(caller, { params, body }, context) {
      const who = await findCommenter(need, caller, params.publicId)
      const parentId = body.parentId ?? null
      return store.transaction(async transaction => {
        if (parentId !== null) await requireThread(transaction, who, parentId)
        const values = { parentId, userId: who.userId, body: body.body, createdAt: effects.now() }
        const row = await dashboardComments.insertComment(transaction, who.scope, values)
        await audit(transaction, caller, context, 'dashboard-comment.create', targetOf(who, row.id))
        return showComment(who, row, await namesOf(transaction, who, [row]))
      })
    },

    async listMentionableEmbedUsers(caller, { params, query }) {
      const { scope } = await findCommenter(need, caller, params.publicId)
      return page(
        'mentionable-users',
        query,
        ({ limit, after }: { limit: number; after: readonly [string, number] | undefined }) =>
          embedUsers.listEmbedUsersByName(store.kysely, scope, {
            search: query.search ?? undefined,
            after,
            limit,
            now: effects.now(),
          }),
        row => [row.username, row.id] as const,
        ({ id, username, email, firstName }) => ({ id, username, email, firstName }),
      )
    },

    async updateDashboardComment(caller, { params, body }, context) {
      const who = await findCommenter(need, caller, params.publicId)
      const { commentId } = params
      return store.transaction(async transaction => {
        const comment = await requireOwn(transaction, who, commentId)
        if (comment.removedAt !== null) throw new CodedError('comment_not_found', { id: commentId })
        const row = await dashboardComments.editComment(transaction, who.scope, commentId, body.body, effects.now())
        await audit(transaction, caller, context, 'dashboard-comment.update', targetOf(who, commentId))
        return showComment(who, row, await namesOf(transaction, who, [row]))
      })
    },

    async removeDashboardComment(caller, { params }, context) {
      const who = await findCommenter(need, caller, params.publicId)
      const { commentId } = params
      await store.transaction(async transaction => {
        await requireOwn(transaction, who, commentId)
        await dashboardComments.removeComment(transaction, who.scope, commentId, effects.now())
        await audit(transaction, caller, context, 'dashboard-comment.delete', targetOf(who, commentId))
      })
      return { success: true }
    },

    async setDashboardCommentResolved(caller, { params, body }, context) {
      const who = await findCommenter(need, caller, params.publicId)
      const { commentId } = params
      return store.transaction(async transaction => {
        const { scope, userId } = who
        const thread = await find(transaction, who, commentId)
        if (thread.parentId !== null) throw new CodedError('comment_is_reply', { id: commentId })
        if (thread.userId !== userId) throw new CodedError('comment_not_yours', { id: commentId })
        const isSo = (thread.resolvedAt !== null) === body.resolved
        const by = body.resolved ? { userId, at: effects.now() } : null
        const row = isSo ? thread : await dashboardComments.resolveThread(transaction, scope, commentId, by)
        if (!isSo)
          await audit(transaction, caller, context, 'dashboard-comment.resolve', targetOf(who, commentId), body)
        const replies = await dashboardComments.listReplies(transaction, scope, [commentId])
        return showThread(who, row, replies, await namesOf(transaction, who, [row, ...replies]))
      })
    },
  }
}

/** How the audit log names a comment. */
const targetOf = ({ publicId }: Commenter, id: number): string => `dashboard ${publicId} comment ${id}`

const namesOf = (executor: Executor, { scope }: Commenter, rows: readonly dashboardComments.CommentRow[]) =>
  dashboardComments.authorNames(executor, scope, [...new Set(rows.flatMap(({ userId }) => userId ?? []))])

/** The comment, if it is of the dashboard and the tenant; nobody else changes it meanwhile. */
async function find(transaction: Executor, { scope }: Commenter, id: number): Promise<dashboardComments.CommentRow> {
  const row = await dashboardComments.lockComment(transaction, scope, id)
  if (!row) throw new CodedError('comment_not_found', { id })
  return row
}

async function requireOwn(transaction: Executor, who: Commenter, id: number): Promise<dashboardComments.CommentRow> {
  const row = await find(transaction, who, id)
  if (row.userId !== who.userId) throw new CodedError('comment_not_yours', { id })
  return row
}

/** @throws {CodedError} where this begins no thread that can be replied to. */
async function requireThread(transaction: Executor, who: Commenter, id: number): Promise<void> {
  const thread = await find(transaction, who, id)
  if (thread.parentId !== null) throw new CodedError('comment_is_reply', { id })
  if (thread.removedAt !== null) throw new CodedError('comment_not_found', { id })
  const replies = await dashboardComments.listReplies(transaction, who.scope, [id])
  if (replies.length >= largestThread) throw new CodedError('comment_thread_full', { limit: largestThread })
}
