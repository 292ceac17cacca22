import { type Client, type ClientOptions, createClient, send, type Transport } from '@hedron/contract/client'
import type { Effects } from '../effects.ts'
import { Failure } from '../framework/failure.ts'
import { version } from '../version.ts'
import { authorizationHeader, type Credentials } from './credentials.ts'
import type { Renew } from './renewal.ts'

export interface Session {
  /** Address of the server, without a trailing slash. */
  readonly url: string
  /** The operations of the contract, typed. */
  readonly client: Client
  /** A request that is not in the contract; `path` carries no query. */
  request(method: string, path: string, options?: RequestOptions): Promise<unknown>
}

export interface RequestOptions {
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

type SessionEffects = Pick<Effects, 'fetch' | 'environment' | 'signal'>

/** Milliseconds until a request is given up. */
const requestTimeout = 120_000

/** @param renew where the credential is a login whose tokens end and can be renewed. */
export function createSession({ url, token }: Credentials, effects: SessionEffects, renew?: Renew): Session {
  const plain = clientOptions(url, authorizationHeader(token, effects.environment), effects)
  const options = renew === undefined ? plain : renewing(plain, token, effects.environment, renew)
  return {
    url,
    client: createClient(options),
    request: (method, path, { query, body, headers, signal } = {}) =>
      send({ ...options, headers: { ...options.headers, ...headers } }, method, path, query, body, signal),
  }
}

/** Sends requests to one address with one credential. Failures without an answer are `transport_failed`. */
export const clientOptions = (baseUrl: string, authorization: string, effects: SessionEffects) => ({
  baseUrl,
  authorization,
  headers: { 'user-agent': `hedron-cli/${version}` },
  timeout: requestTimeout,
  fetch: (async (url, request) => {
    const signal = AbortSignal.any([effects.signal, request.signal])
    try {
      const answer = await effects.fetch(url, { ...request, signal })
      // Read here, so that an answer that breaks off is a failure of the transport and not an empty answer.
      const text = await answer.text()
      const { ok, status, statusText, headers } = answer
      return { ok, status, statusText, ...(headers === undefined ? {} : { headers }), text: async () => text }
    } catch (error) {
      if (effects.signal.aborted) throw new Failure('interrupted')
      throw new Failure('transport_failed', { url, reason: transportReason(error) }, undefined)
    }
  }) satisfies Transport,
})

/** A request that is refused with 401 is sent once more with a renewed token, which is used from then on. */
function renewing(
  options: ReturnType<typeof clientOptions>,
  token: string,
  environment: Effects['environment'],
  renew: Renew,
): ClientOptions {
  let current = token
  const withToken = (request: Parameters<Transport>[1], used: string) => ({
    ...request,
    headers: { ...request.headers, authorization: authorizationHeader(used, environment) },
  })
  return {
    ...options,
    fetch: async (url, request) => {
      const used = current
      const answer = await options.fetch(url, withToken(request, used))
      if (answer.status !== 401) return answer
      // Another request of this run may have renewed it meanwhile.
      const next = current === used ? await renew(used) : current
      if (next === null) return answer
      current = next
      return options.fetch(url, withToken(request, next))
    },
  }
}

/** The innermost cause: that is where the network says what happened. */
function transportReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no answer within ${requestTimeout / 1000} s`
  if (error.cause !== undefined) return transportReason(error.cause)
  if (error instanceof AggregateError && error.errors.length > 0) return transportReason(error.errors[0])
  return error.message === '' && 'code' in error ? String(error.code) : error.message
}
