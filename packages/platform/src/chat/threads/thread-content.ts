import { chatEvents, chatTurns, type Executor } from '@hedron/store'
import * as z from 'zod'
import { type AgentUsage, noUsage, type PastTurn } from '../agent.ts'

/** A thread as it is kept: its turns in order, with the lines of each that stay (not the pieces in which a text came). */
export interface ThreadContent {
  readonly turns: readonly ContentTurn[]
}

export interface ContentTurn {
  readonly row: chatTurns.ChatTurnRow
  readonly events: readonly chatEvents.ChatEventRow[]
}

const lasting = ['user', 'tool_result', 'answer', 'final', 'error'] as const

export async function readThreadContent(
  executor: Executor,
  accountId: number,
  threadId: string,
): Promise<ThreadContent> {
  const turns = await chatTurns.listTurns(executor, accountId, threadId)
  const events = await chatEvents.listEvents(executor, accountId, threadId, { kinds: lasting })
  const byTurn = Map.groupBy(events, ({ turnId }) => turnId)
  return { turns: turns.map(row => ({ row, events: byTurn.get(row.id) ?? [] })) }
}

const ToolLine = z.object({
  id: z.string(),
  toolCall: z.object({ name: z.string(), input: z.string(), result: z.string() }),
})
const AnswerLine = z.object({ content: z.string() })

/** Turns that ended with an answer, as agents are told of them. @param most how many of the last ones */
export function pastTurns({ turns }: ThreadContent, most: number): PastTurn[] {
  return turns
    .filter(({ row }) => row.status === 'answered')
    .slice(-most)
    .map(({ row, events }) => ({
      input: row.input,
      answer: row.answer ?? '',
      toolCalls: events
        .filter(({ kind }) => kind === 'tool_result')
        .map(({ line }) => ToolLine.parse(JSON.parse(line)).toolCall),
    }))
}

/** The thread as `__state__` holds it: messages in the serialised form of LangChain (contract/behaviour/chat.md section 2). */
export function stateMessages({ turns }: ThreadContent): unknown[] {
  return turns.flatMap(({ row, events }) => [
    message('HumanMessage', { content: row.input, id: row.messageId }),
    ...events.flatMap(({ kind, line }) => {
      if (kind === 'answer') return [message('AIMessage', { content: AnswerLine.parse(JSON.parse(line)).content })]
      if (kind !== 'tool_result') return []
      const { id, toolCall } = ToolLine.parse(JSON.parse(line))
      const call = { id, name: toolCall.name, args: argumentsOf(toolCall.input), type: 'tool_call' }
      return [
        message('AIMessage', { content: '', tool_calls: [call] }),
        message('ToolMessage', { content: toolCall.result, tool_call_id: id, name: toolCall.name }),
      ]
    }),
  ])
}

const message = (name: string, kwargs: object) => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', name],
  kwargs,
})

/** What a model gave as arguments is any text; what is no object stands under one name. */
function argumentsOf(input: string): unknown {
  try {
    const value: unknown = JSON.parse(input)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { input: value }
  } catch {
    return { input }
  }
}

const Usage = z.object({
  models: z.array(z.string()),
  llmCalls: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheWriteTokens: z.number(),
  cacheReadTokens: z.number(),
})

/** What a turn took, as it is kept. */
export const usageOf = (row: Pick<chatTurns.ChatTurnRow, 'usage'>): AgentUsage =>
  row.usage === null ? noUsage : Usage.parse(row.usage)

export const addUsage = (a: AgentUsage, b: AgentUsage): AgentUsage => ({
  models: [...new Set([...a.models, ...b.models])],
  llmCalls: a.llmCalls + b.llmCalls,
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
  cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
})
