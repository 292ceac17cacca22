import type { ModelAddress } from './settings.ts'

interface PublishedModel extends Pick<ModelAddress, 'model' | 'thinks'> {
  readonly provider: 'openai' | 'anthropic'
}

const openai = (model: string): PublishedModel => ({ provider: 'openai', model, thinks: false })
const anthropic = (model: string, thinks = false): PublishedModel => ({ provider: 'anthropic', model, thinks })

/** Names that agents' files have for models (contract/behaviour/chat.md section 7), and what their providers call them. */
export const publishedModels: ReadonlyMap<string, PublishedModel> = new Map([
  ['claude_3_5_sonnetv2', anthropic('claude-3-5-sonnet-20241022')],
  ['claude_3_7_sonnet', anthropic('claude-3-7-sonnet-20250219')],
  ['claude_3_7_sonnet_thinking', anthropic('claude-3-7-sonnet-20250219', true)],
  ['claude_4_sonnet', anthropic('claude-sonnet-4-20250514')],
  ['claude_4_5_sonnet', anthropic('claude-sonnet-4-5')],
  ['claude_4_5_haiku', anthropic('claude-haiku-4-5')],
  ['claude_4_5_opus', anthropic('claude-opus-4-5')],
  ['claude_4_6_sonnet', anthropic('claude-sonnet-4-6')],
  ['claude_4_6_opus', anthropic('claude-opus-4-6')],
  ['claude_4_7_opus', anthropic('claude-opus-4-7')],
  ['gpt_4o', openai('gpt-4o')],
  ['gpt_4_1', openai('gpt-4.1')],
  ['gpt_4_1_mini', openai('gpt-4.1-mini')],
  ['gpt_5', openai('gpt-5')],
  ['gpt_5_mini', openai('gpt-5-mini')],
  ['gpt_5_3', openai('gpt-5.3')],
  ['gpt_5_4', openai('gpt-5.4')],
  ['o3', openai('o3')],
  ['o4_mini', openai('o4-mini')],
])
