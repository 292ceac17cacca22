/** Ways in which a provider of a language model fails; what is said about each is for whoever asked the question. */
const messages = {
  address:
    'The language model is at an address that this server does not connect to. An administrator has to correct it.',
  redirect: 'The address of the language model leads elsewhere. An administrator has to correct it.',
  unreachable: 'The language model cannot be reached. Try again in a moment.',
  slow: 'The language model took too long to answer. Try again in a moment.',
  broken: 'The connection to the language model broke off. Ask again.',
  garbled: 'The language model gave an answer that cannot be read. Ask again.',
  too_long: 'The language model’s answer was longer than answers can be. Ask for less.',
  busy: 'The language model is busy: its provider takes no more requests right now. Try again in a moment.',
  failed: 'The provider of the language model failed. Try again in a moment.',
  credentials:
    'The provider of the language model does not accept this server’s key. An administrator has to correct it.',
  unknown_model: 'The provider does not have this language model. An administrator has to correct its name.',
  refused: 'The provider of the language model did not take the request. Ask in fewer words, or begin a new chat.',
  filtered: 'The provider of the language model declined to answer this.',
  empty: 'The language model gave no answer. Ask again, or in other words.',
} as const

export type ProviderFaultCode = keyof typeof messages

const retryable: ReadonlySet<ProviderFaultCode> = new Set([
  'unreachable',
  'slow',
  'broken',
  'garbled',
  'busy',
  'failed',
])

/** A call of a language model that failed. It holds nothing of the request or of the provider's words: keys could be among them. */
export class ProviderFault extends Error {
  override readonly name = 'ProviderFault'
  readonly code: ProviderFaultCode
  /** HTTP status and error code of the provider, for the operator. */
  readonly detail: string | null
  /** When the provider wants to be asked again, in milliseconds from now; null: it does not say. */
  readonly retryAfterMs: number | null

  constructor(code: ProviderFaultCode, more: { readonly detail?: string; readonly retryAfterMs?: number | null } = {}) {
    super(messages[code])
    this.code = code
    this.detail = more.detail ?? null
    this.retryAfterMs = more.retryAfterMs ?? null
  }

  /** Whether the same request may go better. */
  get isRetryable(): boolean {
    return retryable.has(this.code)
  }
}
