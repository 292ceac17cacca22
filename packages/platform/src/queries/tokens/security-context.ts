import type { JWTPayload } from 'jose'
import * as z from 'zod'
import type { TokenSettings } from './token-settings.ts'

type Claims = Readonly<Record<string, unknown>>

/** The platform's own claims inside a token; anything else in it is the customer's security context. */
const PlatformClaims = z.object({
  groups: z.array(z.string()).catch([]).default([]),
  userAttributes: z.record(z.string(), z.unknown()).catch({}).default({}),
  environmentId: z.number().optional().catch(undefined),
})
export type PlatformClaims = z.infer<typeof PlatformClaims>

/** What a verified token says of its bearer. */
export interface TokenContents {
  readonly securityContext: Claims
  readonly platform: PlatformClaims
}

/**
 * Takes a verified payload apart (contract/behaviour/query.md section 2): with a namespace the security context is what is under
 * it, and nothing where nothing is; without one it is the whole payload, with what older clients put under `u` merged up. The context
 * of a token of the platform stands in the payload itself unless the namespace is there: the platform knows nothing of it.
 */
export function readContents(
  payload: JWTPayload,
  { claimsNamespace }: Pick<TokenSettings, 'claimsNamespace'>,
  isOfPlatform: boolean,
): TokenContents {
  const named = claimsNamespace === null ? undefined : claims(payload[claimsNamespace])
  const platform = PlatformClaims.parse(claims(payload.cubeCloud) ?? claims(named?.cubeCloud) ?? {})
  if (claimsNamespace !== null && (named !== undefined || !isOfPlatform))
    return { securityContext: named ?? {}, platform }
  const { u, ...rest } = payload
  const old = claims(u)
  return { securityContext: old === undefined ? payload : { ...rest, ...old }, platform }
}

const claims = (value: unknown): Claims | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : undefined
