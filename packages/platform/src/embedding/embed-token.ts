import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose'
import { toSeconds } from '../environments/sign-token.ts'
import type { EmbedSecret } from './embed-secrets.ts'

const issuer = 'cubecloud'
/** Tells it from the tokens of the data API, whatever they are signed with (RFC 8725 section 3.11). */
const type = 'embed+jwt'

/** What a client may read in its token. The server believes none of it but the session: all else it looks up at each request. */
export interface EmbedTokenFacts {
  readonly sessionId: number
  readonly issuedAt: Date
  readonly expiresAt: Date
  readonly claims: Readonly<Record<string, unknown>>
}

export function signEmbedToken({ id, key }: EmbedSecret, facts: EmbedTokenFacts): Promise<string> {
  return new SignJWT({
    ...facts.claims,
    iss: issuer,
    sid: String(facts.sessionId),
    iat: toSeconds(facts.issuedAt),
    exp: toSeconds(facts.expiresAt),
  })
    .setProtectedHeader({ alg: 'HS256', typ: type, kid: id })
    .sign(key)
}

/** Where to look for what the token says it is; undefined where it cannot be one. Nothing of it is verified. */
export function readEmbedToken(token: string): { readonly sessionId: number; readonly secretId: string } | undefined {
  try {
    const { kid } = decodeProtectedHeader(token)
    const { sid } = decodeJwt(token)
    if (typeof sid !== 'string' || !/^[1-9]\d{0,14}$/.test(sid)) return undefined
    if (typeof kid !== 'string' || !/^[0-9a-f]{32}$/.test(kid)) return undefined
    return { sessionId: Number(sid), secretId: kid }
  } catch {
    return undefined
  }
}

/** Whether the key has signed the token with HS256 and it is in its time. @returns when it ends. */
export async function verifyEmbedToken(token: string, key: Buffer, now: Date): Promise<Date | undefined> {
  try {
    const options = { algorithms: ['HS256'], issuer, typ: type, currentDate: now, requiredClaims: ['exp'] }
    const { payload } = await jwtVerify(token, key, options)
    return payload.exp === undefined ? undefined : new Date(payload.exp * 1000)
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
