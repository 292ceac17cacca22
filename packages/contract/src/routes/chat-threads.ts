import * as z from 'zod'
import { deploymentReaders } from '../permissions.ts'
import { route } from '../route.ts'
import * as schema from '../schemas/chat-thread.ts'
import { DeploymentParams, Id, NoContent } from '../schemas/common.ts'
import { PageQuery } from '../schemas/page.ts'

const tags = ['Chat Threads'] as const
const path = '/api/v1/deployments/{deploymentId}/chat-threads' as const
const owner = { tags, access: { permission: deploymentReaders } } as const
const admin = { tags, access: { permission: ['ChatHistoryRead', 'ChatThreadRead'] } } as const
const ThreadId = z.string().min(1).max(100)
const ThreadParams = DeploymentParams.extend({ chatThreadId: ThreadId })
const search = z.string().max(500).optional().meta({ description: 'Part of the first message or title, or the id.' })
const errors = ['deployment_not_found', 'chat_thread_not_found'] as const

export const listChatThreads = route({
  ...owner,
  operationId: 'listChatThreads',
  method: 'get',
  path,
  summary: 'List your chat threads',
  description: 'Of the user whose credential it is, on this deployment; the one that was used last first.',
  params: DeploymentParams,
  query: PageQuery.extend({ search }),
  response: schema.ChatThreadsResponse,
  errors: ['deployment_not_found', 'cursor_invalid'],
})

export const getChatThread = route({
  ...owner,
  operationId: 'getChatThread',
  method: 'get',
  path: `${path}/{chatThreadId}`,
  summary: 'Get one of your chat threads',
  params: ThreadParams,
  response: schema.ChatThreadDetails,
  errors,
})

export const updateChatThread = route({
  ...owner,
  operationId: 'updateChatThread',
  method: 'patch',
  path: `${path}/{chatThreadId}`,
  summary: 'Rename one of your chat threads',
  params: ThreadParams,
  body: schema.UpdateChatThreadInput,
  response: schema.ChatThread,
  errors,
})

export const deleteChatThread = route({
  ...owner,
  operationId: 'deleteChatThread',
  method: 'delete',
  path: `${path}/{chatThreadId}`,
  summary: 'Delete one of your chat threads',
  description: 'With all that was said in it. What is being answered in it is stopped.',
  params: ThreadParams,
  status: 204,
  response: NoContent,
  errors,
})

export const rateChatMessage = route({
  ...owner,
  operationId: 'rateChatMessage',
  method: 'put',
  path: `${path}/{chatThreadId}/messages/{chatMessageId}/feedback`,
  summary: 'Say what you think of an answer',
  params: ThreadParams.extend({ chatMessageId: z.string().min(1).max(50) }),
  body: schema.ChatFeedbackInput,
  status: 204,
  response: NoContent,
  errors: [...errors, 'chat_message_not_found'],
})

export const listChatHistory = route({
  ...admin,
  operationId: 'listChatHistory',
  method: 'get',
  path: '/api/v1/chat-history',
  summary: 'List chat threads of the account',
  description: "Everybody's; the one that was used last first.",
  query: PageQuery.extend({ search, deploymentId: Id.optional() }),
  response: schema.ChatHistoryResponse,
  errors: ['cursor_invalid'],
})

export const getChatHistory = route({
  ...admin,
  operationId: 'getChatHistory',
  method: 'get',
  path: '/api/v1/chat-history/{chatThreadId}',
  summary: 'Get a chat thread of the account',
  params: z.strictObject({ chatThreadId: ThreadId }),
  response: schema.ChatHistoryDetails,
  errors: ['chat_thread_not_found'],
})
