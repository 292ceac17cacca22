import * as z from 'zod'
import { Id, Timestamp } from './common.ts'
import { listOf } from './page.ts'

export const ChatTurnStatus = z
  .enum(['running', 'suspended', 'answered', 'failed', 'aborted', 'abandoned'])
  .meta({ id: 'ChatTurnStatus' })

export const ChatThread = z
  .object({
    id: z.string().meta({ description: '`chatId` of the chat API.' }),
    deploymentId: Id,
    agentId: Id.nullable(),
    title: z.string(),
    firstMessage: z.string().meta({ description: 'Its first 2,000 characters.' }),
    messageCount: z.int().min(0).meta({ description: 'Messages of its owner.' }),
    lastStatus: ChatTurnStatus.nullable().meta({ description: 'How the last message was answered.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'ChatThread' })
export type ChatThread = z.infer<typeof ChatThread>

export const ChatThreadsResponse = listOf(ChatThread).meta({ id: 'ChatThreadsResponse' })

export const ChatToolCall = z
  .object({
    id: z.string(),
    name: z.string(),
    input: z.string().meta({ description: 'JSON text.' }),
    result: z.string().meta({ description: 'JSON text.' }),
  })
  .meta({ id: 'ChatToolCall' })

export const ChatTurn = z
  .object({
    messageId: z.string(),
    status: ChatTurnStatus,
    input: z.string(),
    toolCalls: z.array(ChatToolCall),
    answer: z.string().nullable().meta({ description: 'What was told of it where it did not end with an answer.' }),
    error: z.string().nullable(),
    rating: z.enum(['up', 'down']).nullable(),
    feedback: z.string().nullable(),
    startedAt: Timestamp,
    endedAt: Timestamp.nullable(),
  })
  .meta({ id: 'ChatTurn', description: 'A message and its answer.' })
export type ChatTurn = z.infer<typeof ChatTurn>

export const ChatThreadDetails = ChatThread.extend({ turns: z.array(ChatTurn) }).meta({ id: 'ChatThreadDetails' })

const ThreadOwner = z
  .object({ id: Id, username: z.string(), email: z.string().nullable(), externalId: z.string().nullable() })
  .meta({ id: 'ChatThreadOwner' })

export const ChatHistoryItem = ChatThread.extend({ owner: ThreadOwner }).meta({ id: 'ChatHistoryItem' })
export const ChatHistoryResponse = listOf(ChatHistoryItem).meta({ id: 'ChatHistoryResponse' })
export const ChatHistoryDetails = ChatThreadDetails.extend({ owner: ThreadOwner }).meta({ id: 'ChatHistoryDetails' })

export const UpdateChatThreadInput = z
  .strictObject({ title: z.string().trim().min(1).max(200) })
  .meta({ id: 'UpdateChatThreadInput' })

export const ChatFeedbackInput = z
  .strictObject({
    rating: z.enum(['up', 'down']).nullable().meta({ description: 'null takes it back.' }),
    feedback: z.string().trim().max(5_000).nullish(),
  })
  .meta({ id: 'ChatFeedbackInput' })
