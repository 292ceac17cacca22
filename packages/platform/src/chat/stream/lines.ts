import type { AgentUsage } from '../agent.ts'

/** Node of the main agent, as `graphPath` names it (SPEC, "Message fields"). */
const mainAgent = 'service_data_analyst_agent'

/** Every line of a stream as JSON text without its line end (SPEC, "Events"; contract/chat.yaml). */
export const lines = {
  cutoff: (state: { chatId: string; isStreaming: boolean; suspendedMessageId: string | null }) => {
    const { chatId, isStreaming, suspendedMessageId: messageId } = state
    return text({
      id: '__cutoff__',
      role: 'assistant',
      state: { isStreaming, chatId, ...(messageId === null ? {} : { suspended: { messageId } }) },
      sort: 0,
    })
  },
  user: (id: string, content: string, sort: number) => text({ id, role: 'user', content, isDelta: false, sort }),
  /** More of an answer. `content` and `thinking` go behind what was told under the id. */
  delta: (id: string, more: Spoken, sort: number) =>
    text({ id, role: 'assistant', ...more, ...ofMain, isInProcess: true, isDelta: true, sort }),
  /** What was told under the id so far, in place of that. */
  soFar: (id: string, said: Spoken, sort: number) =>
    text({ id, role: 'assistant', ...said, ...ofMain, isInProcess: true, isDelta: false, sort }),
  answer: (id: string, said: Spoken, sort: number) =>
    text({ id, role: 'assistant', ...said, ...ofMain, isInProcess: false, isDelta: false, sort }),
  tool: (id: string, call: ToolCallLine, sort: number) => text(toolMessage(id, call, true, sort)),
  toolResult: (id: string, call: ToolCallLine & { result: string }, sort: number) =>
    text(toolMessage(id, call, false, sort)),
  final: (id: string, content: string, sort: number) =>
    text({
      id,
      role: 'assistant',
      content,
      graphPath: ['final'],
      isStructuredResponse: false,
      isInProcess: false,
      isDelta: false,
      sort,
    }),
  state: (messages: readonly unknown[], sort: number) =>
    text({ id: '__state__', role: 'assistant', state: { messages }, isDelta: false, sort }),
  aborted: (sort: number) =>
    text({
      id: '__aborted__',
      type: 'abort',
      code: 'chat_aborted',
      role: 'assistant',
      error: 'The answer was stopped by a request to abort it.',
      sort,
    }),
  suspended: (messageId: string, sort: number) =>
    text({
      id: '__suspended__',
      type: 'suspend',
      code: 'chat_suspended',
      role: 'assistant',
      retryable: true,
      messageId,
      error: 'The server restarted before the agent finished responding; retry the same request to resume',
      sort,
    }),
  error: (message: string) => text({ error: message }),
  usage: (usage: AgentUsage) => {
    const { inputTokens, outputTokens, cacheWriteTokens, cacheReadTokens } = usage
    const totalTokens = inputTokens + outputTokens + cacheWriteTokens + cacheReadTokens
    return text({ id: '__usage__', type: 'usage', usage: { ...usage, totalTokens } })
  },
} as const

export interface Spoken {
  readonly content: string
  readonly thinking: string
}

export interface ToolCallLine {
  readonly name: string
  /** JSON text. */
  readonly input: string
}

const ofMain = { graphPath: [mainAgent], isStructuredResponse: false }

const toolMessage = (id: string, toolCall: object, isInProcess: boolean, sort: number) => ({
  id,
  role: 'assistant',
  toolCall,
  graphPath: [mainAgent, 'tools'],
  isInProcess,
  isDelta: false,
  isStructuredResponse: false,
  sort,
})

const text = (value: object): string => JSON.stringify(value)

/** Lines as they go over the wire. */
export const lined = (texts: readonly string[]): string => texts.map(line => `${line}\n`).join('')
