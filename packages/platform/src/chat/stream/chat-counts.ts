import type { AgentUsage } from '../agent.ts'

/** How an attempt to answer a message ended; `lost`: another node, or nobody, ended it. */
export type TurnOutcome = 'answered' | 'failed' | 'aborted' | 'suspended' | 'lost'

/** What this start of the node has answered, of all accounts together. */
export interface ChatStatistics {
  readonly running: number
  readonly outcomes: Readonly<Record<TurnOutcome, number>>
  readonly llmCalls: number
  /** Tokens of language models by their kind. */
  readonly tokens: {
    readonly input: number
    readonly output: number
    readonly cacheWrite: number
    readonly cacheRead: number
  }
}

export interface ChatCounts {
  /** @param spent what this attempt took: what a suspended one took before was counted then */
  ended(outcome: TurnOutcome, spent: AgentUsage): void
  now(): Omit<ChatStatistics, 'running'>
}

export function createChatCounts(): ChatCounts {
  const outcomes = { answered: 0, failed: 0, aborted: 0, suspended: 0, lost: 0 }
  const tokens = { input: 0, output: 0, cacheWrite: 0, cacheRead: 0 }
  let llmCalls = 0
  return {
    ended(outcome, spent) {
      outcomes[outcome] += 1
      llmCalls += spent.llmCalls
      tokens.input += spent.inputTokens
      tokens.output += spent.outputTokens
      tokens.cacheWrite += spent.cacheWriteTokens
      tokens.cacheRead += spent.cacheReadTokens
    },
    now: () => ({ outcomes: { ...outcomes }, tokens: { ...tokens }, llmCalls }),
  }
}
