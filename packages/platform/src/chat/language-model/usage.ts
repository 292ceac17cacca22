import type { AgentUsage } from '../agent.ts'

/** What one call took, as the SDK counts it; what a provider does not report is undefined. */
export interface CallUsage {
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
  readonly inputTokenDetails: {
    readonly noCacheTokens: number | undefined
    readonly cacheReadTokens: number | undefined
    readonly cacheWriteTokens: number | undefined
  }
}

/** Adds a call to what was taken; input is what was not read from or written to the provider's cache (contract/chat.yaml). */
export function addCall(total: AgentUsage, model: string, call: CallUsage): AgentUsage {
  const { cacheReadTokens: read = 0, cacheWriteTokens: write = 0, noCacheTokens } = call.inputTokenDetails
  const input = noCacheTokens ?? Math.max(0, (call.inputTokens ?? 0) - read - write)
  return {
    models: total.models.includes(model) ? total.models : [...total.models, model],
    llmCalls: total.llmCalls + 1,
    inputTokens: total.inputTokens + input,
    outputTokens: total.outputTokens + (call.outputTokens ?? 0),
    cacheReadTokens: total.cacheReadTokens + read,
    cacheWriteTokens: total.cacheWriteTokens + write,
  }
}

export const addUsage = (total: AgentUsage, more: AgentUsage): AgentUsage => ({
  models: [...new Set([...total.models, ...more.models])],
  llmCalls: total.llmCalls + more.llmCalls,
  inputTokens: total.inputTokens + more.inputTokens,
  outputTokens: total.outputTokens + more.outputTokens,
  cacheReadTokens: total.cacheReadTokens + more.cacheReadTokens,
  cacheWriteTokens: total.cacheWriteTokens + more.cacheWriteTokens,
})

export const tokensOf = ({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: AgentUsage): number =>
  inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens

/** About how many tokens a text is, for limits that need no exact number: four characters of English, fewer of other languages. */
export const aboutTokens = (text: string): number => Math.ceil(text.length / 3.5)
