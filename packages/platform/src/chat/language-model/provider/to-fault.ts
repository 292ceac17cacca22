import { ProviderFault, type ProviderFaultCode } from './provider-fault.ts'

/** The parts of an error of the SDK that are looked at; `isInstance` of its classes is not asked, so that they load late. */
interface CallError {
  readonly statusCode?: unknown
  readonly responseHeaders?: unknown
  readonly data?: unknown
  readonly cause?: unknown
  readonly name?: unknown
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * What went wrong with a call of a language model. Nothing of what the provider wrote is kept but its error code, if that looks like
 * one: providers quote keys and questions.
 *
 * @param now milliseconds since 1970, for dates in `Retry-After`
 */
export function toFault(error: unknown, now: number): ProviderFault {
  const fault = findFault(error)
  if (fault) return fault
  if (!isObject(error)) return new ProviderFault('garbled')
  const { statusCode, responseHeaders, data, name }: CallError = error
  if (typeof statusCode !== 'number' || (statusCode >= 200 && statusCode < 300)) {
    return new ProviderFault('garbled', { detail: typeof name === 'string' ? name : 'error' })
  }
  const detail = [`HTTP ${statusCode}`, ...errorCode(data)].join(' ')
  return new ProviderFault(codeOf(statusCode), { detail, retryAfterMs: retryAfter(responseHeaders, now) })
}

/** Faults of ours come back wrapped by what called us. */
function findFault(error: unknown): ProviderFault | undefined {
  let inner = error
  for (let depth = 0; depth < 5 && isObject(inner); depth++) {
    if (inner instanceof ProviderFault) return inner
    const { cause }: CallError = inner
    inner = cause
  }
  return undefined
}

function codeOf(status: number): ProviderFaultCode {
  if (status === 401 || status === 402 || status === 403) return 'credentials'
  if (status === 404) return 'unknown_model'
  if (status === 408) return 'slow'
  // Anthropic says with 529 that it is overloaded.
  if (status === 429 || status === 529) return 'busy'
  return status >= 500 ? 'failed' : 'refused'
}

function errorCode(data: unknown): readonly string[] {
  const inner = isObject(data) && 'error' in data ? data.error : undefined
  if (!isObject(inner)) return []
  const { code, type } = inner as { readonly code?: unknown; readonly type?: unknown }
  return [code, type].filter(item => typeof item === 'string' && /^[a-z][a-z_]{2,40}$/.test(item)).map(String)
}

/** `Retry-After` in seconds or as a date (RFC 9110 section 10.2.3). */
function retryAfter(headers: unknown, now: number): number | null {
  const value: unknown = isObject(headers) ? Reflect.get(headers, 'retry-after') : undefined
  if (typeof value !== 'string') return null
  const seconds = Number(value)
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - now
  return Number.isFinite(wait) ? Math.max(0, wait) : null
}
