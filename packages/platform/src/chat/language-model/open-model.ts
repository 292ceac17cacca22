import type { LanguageModel, ProviderMetadata } from 'ai'
import { LRUCache } from 'lru-cache'
import { createProviderFetch, usualBounds } from './provider/provider-fetch.ts'
import type { LanguageModelSettings, ModelAddress } from './settings.ts'

/** A language model that can be called, and what its provider is told beside the conversation. */
export interface OpenModel {
  /** The provider's own name of it. */
  readonly name: string
  readonly model: LanguageModel
  /** What is said to the provider with each call. */
  readonly options: ProviderMetadata
  /** Marks the end of what is the same from call to call, for providers that keep it when they are told to. */
  readonly cacheMark: ProviderMetadata
}

/** Models that are kept open, with their connections. */
const keptModels = 100

/** Opens language models by the SDK's providers. Nothing is asked of a provider yet. */
export function createOpenModel({
  silenceMs,
  allowsLoopback,
}: Pick<LanguageModelSettings, 'silenceMs' | 'allowsLoopback'>) {
  const open = new LRUCache<string, Promise<OpenModel>>({ max: keptModels })

  return (address: ModelAddress): Promise<OpenModel> => {
    const key = JSON.stringify(address)
    const known = open.get(key)
    if (known) return known
    const guard = address.isOperators ? null : { allowsLoopback }
    const made = load(address, createProviderFetch({ ...usualBounds, silenceMs, guard }))
    open.set(key, made)
    return made
  }
}

/** What a model that thinks may think, in tokens. */
const thinkingTokens = 4_000

/**
 * Key and address are always passed: what is not, the SDK takes from the environment, and the operator's key would go to a team's
 * own address.
 */
async function load(
  { provider, model, baseUrl, apiKey, thinks }: ModelAddress,
  fetch: typeof globalThis.fetch,
): Promise<OpenModel> {
  const common = { name: model, options: {}, cacheMark: {} }
  if (provider === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    const anthropic = createAnthropic({
      baseURL: baseUrl ?? 'https://api.anthropic.com/v1',
      apiKey: apiKey ?? '',
      fetch,
    })
    const thinking = { type: 'enabled', budgetTokens: thinkingTokens }
    return {
      ...common,
      model: anthropic(model),
      options: thinks ? { anthropic: { thinking } } : {},
      cacheMark: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    }
  }
  if (provider === 'openai' && baseUrl === null) {
    const { createOpenAI } = await import('@ai-sdk/openai')
    const openai = createOpenAI({ baseURL: 'https://api.openai.com/v1', apiKey: apiKey ?? '', fetch })
    return { ...common, model: openai.chat(model), options: thinks ? { openai: { reasoningEffort: 'medium' } } : {} }
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const compatible = createOpenAICompatible({
    name: 'compatible',
    baseURL: baseUrl ?? 'https://api.openai.com/v1',
    ...(apiKey === null ? {} : { apiKey }),
    includeUsage: true,
    fetch,
  })
  return { ...common, model: compatible.chatModel(model) }
}
