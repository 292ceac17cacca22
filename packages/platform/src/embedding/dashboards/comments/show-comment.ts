import type { DashboardComment, DashboardCommentThread } from '@hedron/contract'
import type { dashboardComments } from '@hedron/store'
import type { Commenter } from './commenter.ts'

type CommentRow = dashboardComments.CommentRow

/** How authors are called, by id. */
type Names = ReadonlyMap<number, string>

/** A comment as one who may comment sees it. */
export function showComment({ userId, publicId }: Commenter, row: CommentRow, names: Names): DashboardComment {
  return {
    id: row.id,
    dashboardId: publicId,
    userId: row.userId,
    authorName: row.userId === null ? null : (names.get(row.userId) ?? null),
    body: row.body,
    createdAt: row.createdAt.toISOString(),
    editedAt: row.editedAt?.toISOString() ?? null,
    removedAt: row.removedAt?.toISOString() ?? null,
    isOwn: row.userId === userId,
  }
}

/** @param replies may hold those of other threads too. */
export function showThread(
  who: Commenter,
  root: CommentRow,
  replies: readonly CommentRow[],
  names: Names,
): DashboardCommentThread {
  return {
    root: showComment(who, root, names),
    replies: replies.filter(({ parentId }) => parentId === root.id).map(reply => showComment(who, reply, names)),
    resolvedAt: root.resolvedAt?.toISOString() ?? null,
    resolvedBy: root.resolvedBy,
  }
}
