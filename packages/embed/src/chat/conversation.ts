import type { ChatTurn } from '@hedron/contract'

/** Words of the assistant, as far as they came. */
export interface TextPart {
  readonly kind: 'text'
  readonly id: string
  readonly content: string
  /** Only in development mode. */
  readonly thinking: string
}

/** A step of the assistant. `input` and `result` are JSON text; no result yet: it is under way. */
export interface ToolPart {
  readonly kind: 'tool'
  readonly id: string
  readonly name: string
  readonly input: string
  readonly result: string | null
}

export type TurnStatus = 'running' | 'answered' | 'aborted' | 'suspended' | 'failed'

/** A question and what came of it. */
export interface Turn {
  readonly messageId: string
  readonly input: string
  readonly parts: readonly (TextPart | ToolPart)[]
  /** The answer as the agent closed it; null until then. */
  readonly answer: string | null
  readonly status: TurnStatus
  readonly error: string | null
  readonly rating: 'up' | 'down' | null
}

export interface Conversation {
  readonly chatId: string | null
  readonly turns: readonly Turn[]
}

export const emptyConversation: Conversation = { chatId: null, turns: [] }

/** A line of the chat stream (SPEC, Events): everything in it is optional until it is looked at. */
export type StreamLine = Readonly<Record<string, unknown>>

export function newTurn(messageId: string, input: string): Turn {
  return { messageId, input, parts: [], answer: null, status: 'running', error: null, rating: null }
}

/**
 * The conversation with one line more (SPEC, "Message kinds in order of a typical conversation"). Lines belong to the turn of `messageId`
 * until a line of the user names another. The echo of a question that is known begins its answer anew: streams that were left are told from
 * their beginning, or as they are.
 */
export function withLine(conversation: Conversation, line: StreamLine, messageId: string): Conversation {
  const { id, role, toolCall, graphPath, state, error } = line
  if (id === '__cutoff__') {
    const chatId = isRecord(state) && typeof state.chatId === 'string' ? state.chatId : conversation.chatId
    return { ...conversation, chatId }
  }
  if (id === '__state__' || id === '__usage__') return conversation
  if (id === '__aborted__') return changed(conversation, messageId, turn => ({ ...turn, status: 'aborted' }))
  if (id === '__suspended__') return changed(conversation, messageId, turn => ({ ...turn, status: 'suspended' }))
  if (id === undefined && error !== undefined) {
    const text = isRecord(error) ? textOf(error.message) : textOf(error)
    return changed(conversation, messageId, turn => ({ ...turn, status: 'failed', error: text }))
  }
  if (typeof id !== 'string') return conversation
  if (role === 'user') {
    if (id !== messageId) return conversation
    return changed(conversation, id, turn => ({
      ...turn,
      input: textOf(line.content) || turn.input,
      parts: [],
      answer: null,
    }))
  }
  if (role !== 'assistant') return conversation
  if (isRecord(toolCall)) return changed(conversation, messageId, turn => withTool(turn, id, toolCall))
  if (Array.isArray(graphPath) && graphPath[0] === 'final' && graphPath.length <= 2) {
    return changed(conversation, messageId, turn => ({ ...turn, answer: textOf(line.content), status: 'answered' }))
  }
  return changed(conversation, messageId, turn => withText(turn, id, line))
}

function withText(turn: Turn, id: string, { content, thinking, isDelta }: StreamLine): Turn {
  const before = turn.parts.find((part): part is TextPart => part.kind === 'text' && part.id === id)
  const joins = isDelta === true && before !== undefined
  const part: TextPart = {
    kind: 'text',
    id,
    content: joins ? before.content + textOf(content) : textOf(content),
    thinking: joins ? before.thinking + textOf(thinking) : textOf(thinking) || (before?.thinking ?? ''),
  }
  return { ...turn, parts: before ? turn.parts.map(one => (one === before ? part : one)) : [...turn.parts, part] }
}

function withTool(turn: Turn, id: string, { name, input, result }: Readonly<Record<string, unknown>>): Turn {
  const before = turn.parts.find(part => part.kind === 'tool' && part.id === id)
  const part: ToolPart = {
    kind: 'tool',
    id,
    name: textOf(name),
    input: textOf(input),
    result: typeof result === 'string' ? result : null,
  }
  return { ...turn, parts: before ? turn.parts.map(one => (one === before ? part : one)) : [...turn.parts, part] }
}

export function changed(conversation: Conversation, messageId: string, change: (turn: Turn) => Turn): Conversation {
  return {
    ...conversation,
    turns: conversation.turns.map(turn => (turn.messageId === messageId ? change(turn) : turn)),
  }
}

/** The answer's words: as it was closed, else as far as the last text came. */
export function answerOf({ answer, parts }: Turn): string {
  return answer ?? parts.findLast((part): part is TextPart => part.kind === 'text')?.content ?? ''
}

/** What stands before the answer: its steps, and words between them that the answer does not repeat. */
export function stepsOf(turn: Turn): readonly (TextPart | ToolPart)[] {
  const last = turn.parts.findLast(part => part.kind === 'text')
  const isRepeated = last !== undefined && (turn.answer === null || last.content.trim() === turn.answer.trim())
  return turn.parts.map(part => (part === last && part.kind === 'text' && isRepeated ? { ...part, content: '' } : part))
}

/** A turn as the history of threads keeps it. */
export function turnOfHistory(turn: ChatTurn): Turn {
  const status: TurnStatus = turn.status === 'abandoned' ? 'aborted' : turn.status
  return {
    messageId: turn.messageId,
    input: turn.input,
    parts: turn.toolCalls.map(({ id, name, input, result }) => ({ kind: 'tool', id, name, input, result })),
    answer: turn.answer,
    status,
    error: turn.error,
    rating: turn.rating,
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
