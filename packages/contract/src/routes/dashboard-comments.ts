import * as z from 'zod'
import { route } from '../route.ts'
import { Id, SuccessResponse } from '../schemas/common.ts'
import * as schema from '../schemas/dashboard-comment.ts'
import { PageQuery } from '../schemas/page.ts'

const DashboardParams = z.strictObject({ publicId: z.string().min(1).max(255) })
const CommentParams = DashboardParams.extend({ commentId: Id })
const path = '/api/v1/embed/dashboard/{publicId}/comments' as const
const common = { tags: ['Embed'], access: 'embed' } as const
const errors = [
  'dashboard_not_found',
  'dashboard_embedding_off',
  'dashboard_comments_off',
  'embed_tenant_required',
] as const

export const listDashboardComments = route({
  ...common,
  operationId: 'listDashboardComments',
  method: 'get',
  path,
  summary: 'List dashboard comment threads',
  description:
    "Of the caller's embed tenant, those begun last first, each with its replies in their order; at most 100 on a page. Open ones, unless the query says otherwise.",
  params: DashboardParams,
  query: PageQuery.extend({
    includeResolved: z.boolean().nullish().meta({ description: 'Also those that are resolved.' }),
    resolvedOnly: z.boolean().nullish().meta({ description: 'Those that are resolved alone.' }),
  }),
  response: schema.DashboardCommentThreads,
  errors: [...errors, 'cursor_invalid'],
})

export const createDashboardComment = route({
  ...common,
  operationId: 'createDashboardComment',
  method: 'post',
  path,
  summary: 'Post a dashboard comment',
  description: 'Begins a thread, or replies to one: parentId is the comment that began it.',
  params: DashboardParams,
  body: schema.CreateDashboardCommentInput,
  response: schema.DashboardComment,
  errors: [...errors, 'comment_not_found', 'comment_is_reply', 'comment_thread_full'],
})

export const listMentionableEmbedUsers = route({
  ...common,
  operationId: 'listMentionableEmbedUsers',
  method: 'get',
  path: `${path}/mentionable-users`,
  summary: 'List mentionable embed users',
  description: "Users of the caller's embed tenant, in the order of their user names.",
  params: DashboardParams,
  query: PageQuery.extend({
    search: z.string().max(255).nullish().meta({ description: 'Part of a user name or e-mail address.' }),
  }),
  response: schema.MentionableUsers,
  errors: [...errors, 'cursor_invalid'],
})

export const updateDashboardComment = route({
  ...common,
  operationId: 'updateDashboardComment',
  method: 'patch',
  path: `${path}/{commentId}`,
  summary: 'Edit a dashboard comment',
  description: 'Its author alone.',
  params: CommentParams,
  body: schema.UpdateDashboardCommentInput,
  response: schema.DashboardComment,
  errors: [...errors, 'comment_not_found', 'comment_not_yours'],
})

export const removeDashboardComment = route({
  ...common,
  operationId: 'removeDashboardComment',
  method: 'delete',
  path: `${path}/{commentId}`,
  summary: 'Soft-delete a dashboard comment',
  description: 'Its author alone. The comment that began a thread takes its replies with it.',
  params: CommentParams,
  response: SuccessResponse,
  errors: [...errors, 'comment_not_found', 'comment_not_yours'],
})

export const setDashboardCommentResolved = route({
  ...common,
  operationId: 'setDashboardCommentResolved',
  method: 'post',
  path: `${path}/{commentId}/resolve`,
  summary: 'Resolve or reopen a comment thread',
  description: 'Whoever began it alone.',
  params: CommentParams,
  body: schema.ResolveDashboardCommentInput,
  response: schema.DashboardCommentThread,
  errors: [...errors, 'comment_not_found', 'comment_not_yours', 'comment_is_reply'],
})
