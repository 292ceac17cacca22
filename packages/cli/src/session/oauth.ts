import { ApiError, send } from '@hedron/contract/client'
import type { Effects } from '../effects.ts'
import { isRecord } from '../framework/json.ts'
import { oneReason } from '../framework/text.ts'
import { version } from '../version.ts'

/** What a server gives a program that logged in. */
export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string | undefined
  /** The address to use from now on, where the server names one. */
  readonly url: string | undefined
}

/** A refusal by an OAuth endpoint: its code where it sent one. */
export interface OAuthRefusal {
  readonly status: number
  readonly code: string | undefined
  readonly description: string
}

type OAuthEffects = Pick<Effects, 'fetch' | 'environment'>

/** Milliseconds until a request is given up. */
const patience = 15_000

/** Who this program is to the server, as form fields. */
export function clientFields({ environment }: OAuthEffects): Record<string, string> {
  const { HEDRON_OAUTH_CLIENT_ID: id, HEDRON_OAUTH_CLIENT_SECRET: secret } = environment
  return {
    client_id: isSet(id) ? id : 'hedron-cli',
    ...(isSet(secret) ? { client_secret: secret } : {}),
  }
}

/**
 * Sends a form to an OAuth endpoint (contract/cli-core.md section 4). Nothing but its own time limit ends it: a server that has
 * exchanged a token has done so whether or not anybody listens.
 *
 * @throws {ApiError} for every answer that is not JSON with status 2xx; what the transport throws.
 */
export async function sendForm(
  effects: OAuthEffects,
  url: string,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<unknown> {
  const form = new URLSearchParams({ ...fields, ...clientFields(effects) })
  const options = {
    baseUrl: url,
    headers: { 'user-agent': `hedron-cli/${version}` },
    timeout: patience,
    fetch: effects.fetch,
  }
  const contentType = 'application/x-www-form-urlencoded'
  const bytes = new TextEncoder().encode(form.toString())
  return send(options, 'POST', path, undefined, { contentType, bytes })
}

/** The tokens of an answer, in either spelling; undefined where it holds none. */
export function tokensOf(answer: unknown): Tokens | undefined {
  if (!isRecord(answer)) return undefined
  const accessToken = textAt(answer, 'access_token', 'accessToken')
  if (accessToken === undefined) return undefined
  return {
    accessToken,
    refreshToken: textAt(answer, 'refresh_token', 'refreshToken'),
    url: textAt(answer, 'tenant_url', 'tenantUrl'),
  }
}

/** What an endpoint refused with; undefined for what is no answer of one. */
export function refusalOf(error: unknown): OAuthRefusal | undefined {
  if (!(error instanceof ApiError)) return undefined
  const body = isRecord(error.body) ? error.body : {}
  const code = typeof body.error === 'string' ? body.error : undefined
  const description = typeof body.error_description === 'string' ? body.error_description : ''
  return { status: error.status, code, description: oneReason(description) }
}

/** The body of an answer as one line. */
export const bodyLine = ({ body }: ApiError): string =>
  oneReason(typeof body === 'string' ? body : JSON.stringify(body))

function textAt(record: Readonly<Record<string, unknown>>, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = record[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

const isSet = (value: string | undefined): value is string => value !== undefined && value !== ''
