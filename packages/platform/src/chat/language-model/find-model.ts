import { AgentError, type AgentSettings } from '../agent.ts'
import { insteadOf } from './other-providers.ts'
import { publishedModels } from './published-models.ts'
import { type LanguageModelSettings, type ModelAddress, type ProviderName, providerNames } from './settings.ts'

/** Variables of the deployment whose agent asks. */
export type ReadDeploymentVariables = () => Promise<Readonly<Record<string, string>>>

/** Whether a language model answers at all for an agent: its file names one of its team, or the operator has configured one. */
export const hasLanguageModel = ({ llm }: Pick<AgentSettings, 'llm'>, { main, keys }: LanguageModelSettings): boolean =>
  typeof llm !== 'string' || main !== null || keys.openai !== null || keys.anthropic !== null

/**
 * Finds the language model of an agent: one of the team's own, one by a published name, or the operator's.
 *
 * @throws {AgentError} naming what is missing
 */
export async function findModel(
  { llm, runtime, name }: Pick<AgentSettings, 'llm' | 'runtime' | 'name'>,
  settings: LanguageModelSettings,
  readVariables: ReadDeploymentVariables,
): Promise<ModelAddress> {
  const thinks = runtime === 'reasoning'
  if (typeof llm !== 'string') return { ...(await ownModel(llm.byom, readVariables)), thinks, isOperators: false }
  if (llm === 'auto') return { ...mainModel(settings), thinks, isOperators: true }
  const published = publishedModels.get(llm)
  if (!published) {
    const known = ['auto', ...publishedModels.keys()].join(', ')
    throw new AgentError(`Agent "${name}" asks for the language model "${llm}", which is not known. Known: ${known}.`)
  }
  const { provider, model } = published
  const { main, keys } = settings
  const apiKey = keys[provider] ?? (main?.provider === provider ? main.apiKey : null)
  if (apiKey === null) {
    const variable = provider === 'openai' ? 'OPENAI_API_KEY' : 'ANTHROPIC_API_KEY'
    throw new AgentError(
      `Agent "${name}" asks for the language model "${llm}", for which this server has no key. Set ${variable}, or "llm: auto" in the agent's file.`,
    )
  }
  return { provider, model, baseUrl: null, apiKey, thinks: thinks || published.thinks, isOperators: true }
}

/** What answers where only a key is configured. */
const usualModels = { openai: 'gpt-4.1', anthropic: 'claude-sonnet-4-5' } as const

function mainModel({ main, keys }: LanguageModelSettings): NonNullable<LanguageModelSettings['main']> {
  if (main) return main
  const provider = keys.anthropic === null ? 'openai' : 'anthropic'
  return { provider, model: usualModels[provider], baseUrl: null, apiKey: keys[provider] }
}

/** A model of the team's own, from variables of its deployment: `HEDRON_BYOM_<NAME>_PROVIDER`, `_MODEL`, `_BASE_URL`, `_API_KEY`. */
async function ownModel(byom: string, readVariables: ReadDeploymentVariables) {
  const prefix = `HEDRON_BYOM_${byom.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`
  const variables = await readVariables()
  const read = (part: string) => variables[`${prefix}_${part}`]?.trim() || null
  const provider = read('PROVIDER') ?? 'openai-compatible'
  const [model, baseUrl, apiKey] = [read('MODEL'), read('BASE_URL'), read('API_KEY')]
  const wrong = (part: string, reason: string) =>
    new AgentError(`The team's own language model "${byom}" cannot be used: ${prefix}_${part} ${reason}.`)
  if (!isProvider(provider)) {
    const instead = insteadOf(provider)
    const known = `must be one of ${providerNames.join(', ')}`
    throw wrong('PROVIDER', instead === null ? known : `${known}. For ${provider}, ${instead}`)
  }
  if (model === null) throw wrong('MODEL', 'is not set in the deployment')
  if (baseUrl === null && provider === 'openai-compatible') throw wrong('BASE_URL', 'is not set in the deployment')
  if (baseUrl !== null && !isWebAddress(baseUrl)) throw wrong('BASE_URL', 'must begin with https:// or http://')
  if (apiKey === null && baseUrl === null) throw wrong('API_KEY', 'is not set in the deployment')
  return { provider, model, baseUrl: baseUrl?.replace(/\/+$/, '') ?? null, apiKey }
}

const isProvider = (name: string): name is ProviderName => providerNames.some(known => known === name)

function isWebAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  return (
    url !== null &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.username === '' &&
    url.password === ''
  )
}
