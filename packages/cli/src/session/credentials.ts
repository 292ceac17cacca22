import type { Effects } from '../effects.ts'
import { Failure } from '../framework/failure.ts'
import type { GlobalOptions } from '../framework/global-options.ts'
import type { Config } from './config-file.ts'

export interface Credentials {
  /** Address of the server, without a trailing slash. */
  readonly url: string
  readonly token: string
  /** Name of the saved context whose tokens can be renewed at that address; absent for every other credential. */
  readonly renewable?: string
}

/**
 * Which server and credential to use: flag, else environment, else the saved context. The two are found independently.
 *
 * @throws {Failure} `context_not_found`, `not_logged_in`, `api_url_empty`
 */
export function resolveCredentials(
  config: Config,
  globals: Pick<GlobalOptions, 'apiUrl' | 'token' | 'context'>,
  environment: Effects['environment'],
): Credentials {
  const name = globals.context ?? config.defaultContext
  const context = name === undefined ? undefined : config.contexts.get(name)
  if (globals.context !== undefined && context === undefined) {
    throw new Failure('context_not_found', { name: globals.context })
  }
  const url = globals.apiUrl ?? variable(environment, 'HEDRON_API_URL') ?? context?.url
  const given = globals.token ?? variable(environment, 'HEDRON_API_KEY')
  const token = given ?? context?.apiKey
  if (url === undefined || token === undefined) throw new Failure('not_logged_in')
  const normalized = normalizeUrl(url)
  if (normalized === '') throw new Failure('api_url_empty')
  // A refresh token goes nowhere but to the server that gave it.
  const isRenewable =
    given === undefined && context?.refreshToken !== undefined && normalizeUrl(context.url) === normalized
  return { url: normalized, token: token.trim(), ...(isRenewable && name !== undefined ? { renewable: name } : {}) }
}

/** A variable that is set to nothing counts as not set. */
function variable(environment: Effects['environment'], name: string): string | undefined {
  const value = environment[name]
  return value === undefined || value.trim() === '' ? undefined : value
}

/** The address without blanks and trailing slashes; without a scheme it is https, or http on this machine. */
export function normalizeUrl(url: string): string {
  const bare = url.trim().replace(/\/+$/, '')
  if (bare === '' || bare.includes('://')) return bare
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/i.test(bare)
  return `${isLocal ? 'http' : 'https'}://${bare}`
}

/** Value of the Authorization header; `HEDRON_AUTH_SCHEME` forces the scheme that is otherwise told from the token. */
export function authorizationHeader(token: string, environment: Effects['environment']): string {
  const forced = environment.HEDRON_AUTH_SCHEME?.trim().toLowerCase()
  const isApiKey = forced === 'api-key' || (forced !== 'bearer' && token.startsWith('sk-'))
  return `${isApiKey ? 'Api-Key' : 'Bearer'} ${token}`
}
