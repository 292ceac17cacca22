import * as z from 'zod'
import { Id, Timestamp } from './common.ts'
import { listOf } from './page.ts'

/** Plain text: who shows it shows markup as text. */
const CommentBody = z.string().min(1).max(10_000)

export const DashboardComment = z
  .object({
    id: Id,
    dashboardId: z.string().meta({ description: 'The public id of the dashboard.' }),
    userId: Id.nullable(),
    authorName: z.string().nullish().meta({ description: 'How its author is called; null once that user is gone.' }),
    body: z.string().meta({ description: 'Plain text; empty once the comment was deleted.' }),
    createdAt: Timestamp,
    editedAt: Timestamp.nullable(),
    removedAt: Timestamp.nullable(),
    isOwn: z.boolean(),
  })
  .meta({ id: 'EmbedDashboardCommentDto' })
export type DashboardComment = z.infer<typeof DashboardComment>

export const DashboardCommentThread = z
  .object({
    root: DashboardComment,
    replies: z.array(DashboardComment),
    resolvedAt: Timestamp.nullable(),
    resolvedBy: Id.nullable(),
  })
  .meta({ id: 'EmbedDashboardCommentThreadDto' })
export type DashboardCommentThread = z.infer<typeof DashboardCommentThread>

export const DashboardCommentThreads = listOf(DashboardCommentThread).meta({
  id: 'EmbedDashboardCommentThreadsListResponse',
})

export const CreateDashboardCommentInput = z
  .strictObject({
    body: CommentBody,
    parentId: Id.nullish().meta({ description: 'The comment that began the thread that this replies to.' }),
  })
  .meta({ id: 'CreateEmbedDashboardCommentBody' })

export const UpdateDashboardCommentInput = z
  .strictObject({ body: CommentBody })
  .meta({ id: 'UpdateEmbedDashboardCommentBody' })

export const ResolveDashboardCommentInput = z
  .strictObject({ resolved: z.boolean() })
  .meta({ id: 'SetEmbedDashboardCommentResolvedBody' })

const MentionableUser = z
  .object({ id: Id, username: z.string(), email: z.string().nullable(), firstName: z.string().nullable() })
  .meta({ id: 'EmbedMentionableUserDto' })

export const MentionableUsers = listOf(MentionableUser).meta({ id: 'EmbedMentionableUsersListResponse' })
