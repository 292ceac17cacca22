/** Wire formats that are spoken. `openai-compatible` is what most servers of open models speak: `/chat/completions`. */
export const providerNames = ['openai', 'anthropic', 'openai-compatible'] as const
export type ProviderName = (typeof providerNames)[number]

/** Where a language model is reached. */
export interface ModelAddress {
  readonly provider: ProviderName
  /** The provider's own name of the model. */
  readonly model: string
  /** With the version in its path, without a slash at the end; null: the provider's own. */
  readonly baseUrl: string | null
  /** Null: the address asks for none. */
  readonly apiKey: string | null
  /** Whether it may think before it answers, where its provider has a switch for that. */
  readonly thinks: boolean
  /** Set by who runs this server, so that its address is trusted; otherwise by who manages a deployment. */
  readonly isOperators: boolean
}

/** What the operator has settled about language models; `server/config.ts` reads it from the environment. */
export interface LanguageModelSettings {
  /** Answers where an agent asks for no other; null: the built-in analyst does. */
  readonly main: Pick<ModelAddress, 'provider' | 'model' | 'baseUrl' | 'apiKey'> | null
  /** Keys of the providers whose models agents name. */
  readonly keys: Readonly<Record<'openai' | 'anthropic', string | null>>
  /** How long a provider may take to begin its answer, and between two parts of it, in milliseconds. */
  readonly silenceMs: number
  /** What a turn may take, in tokens of input and output together. */
  readonly turnTokens: number
  /** Whether models of deployments may be on this machine itself. */
  readonly allowsLoopback: boolean
}

/** No language model. */
export const noLanguageModel: LanguageModelSettings = {
  main: null,
  keys: { openai: null, anthropic: null },
  silenceMs: 60_000,
  turnTokens: 200_000,
  allowsLoopback: false,
}
