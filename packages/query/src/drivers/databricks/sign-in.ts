import type { HttpServer } from '../network/http.ts'
import { readBody } from './protocol.ts'
import type { SignIn } from './settings.ts'

/** What stands in `Authorization`. */
export type Authorize = (signal: AbortSignal) => Promise<string>

/** A token that ends sooner is not used for what comes next. */
const spareMilliseconds = 60_000

/**
 * Gives the token that was configured, or one that the workspace issues to the service principal (OAuth 2.0, RFC 6749 section 4.4),
 * which is kept until shortly before its end.
 */
export function createSignIn(signIn: SignIn, server: HttpServer, now: () => number): Authorize {
  if ('token' in signIn) return async () => `Bearer ${signIn.token}`
  const { clientId, clientSecret } = signIn
  const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')
  let kept: { readonly token: string; readonly until: number } | undefined
  return async signal => {
    if (kept && now() < kept.until) return `Bearer ${kept.token}`
    const answer = await server.ask({
      method: 'POST',
      path: '/oidc/v1/token',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials&scope=all-apis',
      signal,
    })
    const { access_token: token, expires_in: seconds } = readBody(answer)
    if (typeof token !== 'string' || typeof seconds !== 'number') throw new Error('the workspace issued no token')
    kept = { token, until: now() + seconds * 1000 - spareMilliseconds }
    return `Bearer ${token}`
  }
}
