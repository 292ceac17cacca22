import { OAuthError } from './oauth-error.ts'

/** Programs that people let act for them. They are public clients: none of them can keep a secret (RFC 8252 section 8.5). */
const clients: ReadonlyMap<string, string> = new Map([
  ['hedron-cli', 'Hedron command line'],
  // What the client in the field calls itself.
  ['cube-cli', 'Command line of the field (cube-cli)'],
])

/** How people know a program. */
export const clientName = (clientId: string): string => clients.get(clientId) ?? clientId

/** @throws {OAuthError} `invalid_client`. */
export function requireClient(clientId: string | undefined, clientSecret: string | undefined): string {
  if (clientId === undefined || !clients.has(clientId)) {
    throw new OAuthError('invalid_client', `client_id is unknown here: use ${[...clients.keys()].join(' or ')}.`)
  }
  if (clientSecret !== undefined) {
    throw new OAuthError('invalid_client', `${clientId} is a public client and has no client_secret: leave it out.`)
  }
  return clientId
}

/**
 * Reads what a program of ours asks for: what its user may do, which is all that there is for it.
 *
 * @throws {OAuthError} `invalid_scope`
 */
export function requireScope(scope: string | undefined): void {
  const wanted = (scope ?? '').trim()
  if (wanted === '' || wanted === 'all') return
  throw new OAuthError('invalid_scope', 'The only scope is "all", what the user may do: leave scope out, or send that.')
}
