import { SignJWT } from 'jose'

/** Claims of a data-API token: the security context, with the platform's own claims under `cubeCloud`. */
export type DataTokenClaims = Readonly<Record<string, unknown>>

/** Signs claims with a deployment's API secret, HS256. The same claims always give the same token, in whatever order they come. */
export function signToken(secret: string, claims: DataTokenClaims): Promise<string> {
  return new SignJWT(JSON.parse(JSON.stringify(claims, sortKeys)))
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(secret))
}

/** Seconds since 1970, as in `iat` and `exp`. */
export const toSeconds = (date: Date): number => Math.floor(date.getTime() / 1000)

/** The database keeps the claims of a token without the order of their keys. */
const sortKeys = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value
