import type { EmbedSessionSettings } from '@hedron/contract'

/** What an embed token says of its session, as the server signed it (contract/behaviour/embed.md section 1). */
export interface SessionClaims {
  readonly deploymentId: number
  readonly embedTenant: string | null
  /** The session is of a user whom the host names by an id of its own, not of one of the account's. */
  readonly isKnownByHost: boolean
  readonly creatorMode: boolean
  /** Of somebody who is signed in here rather than of a host's signature. */
  readonly isPrivate: boolean
  readonly settings: Partial<EmbedSessionSettings>
  readonly theme: EmbedThemeValue | null
  readonly displayName: string | null
  readonly picture: string | null
  readonly email: string | null
  readonly branchName: string | null
  /** By the clock of the server, in milliseconds. */
  readonly issuedAt: number
  readonly expiresAt: number
}

/** The look of one session, as `embedTheme` of generate-session and the message `set-theme` have it; any CSS colours. */
export interface EmbedThemeValue {
  readonly primaryColor?: string | null
  readonly font?: string | null
  readonly borderRadius?: string | number | null
  readonly analyticsChat?: {
    readonly backgroundColor?: string | null
    readonly chatInput?: { readonly backgroundColor?: string | null; readonly borderColor?: string | null } | null
  } | null
  readonly chat?: { readonly inputColor?: string | null } | null
}

/** Reads the payload of a token. Nothing is decided by it that the server does not check. @throws {Error} where it is no token. */
export function readClaims(token: string): SessionClaims {
  const payload = payloadOf(token)
  const profile = recordOf(payload.userProfile)
  return {
    deploymentId: Number(payload.deploymentId),
    embedTenant: textOf(payload.embedTenant),
    isKnownByHost: textOf(payload.externalId) !== null,
    creatorMode: payload.creatorMode === true,
    isPrivate: payload.private === true,
    settings: recordOf(payload.settings),
    theme: typeof payload.theme === 'object' && payload.theme !== null ? payload.theme : null,
    displayName: textOf(profile.displayName),
    picture: textOf(profile.picture),
    email: textOf(payload.email),
    branchName: textOf(payload.branchName),
    issuedAt: Number(payload.iat) * 1000,
    expiresAt: Number(payload.exp) * 1000,
  }
}

/** When a token ends and was made, by the server's clock; null where it does not say. */
export function lifetimeOf(token: string): { readonly issuedAt: number; readonly expiresAt: number } | null {
  const { iat, exp } = payloadOf(token)
  return typeof iat === 'number' && typeof exp === 'number' ? { issuedAt: iat * 1000, expiresAt: exp * 1000 } : null
}

function payloadOf(token: string): Record<string, unknown> {
  const part = token.split('.')[1] ?? ''
  const bytes = Uint8Array.from(atob(part.replace(/-/g, '+').replace(/_/g, '/')), byte => byte.charCodeAt(0))
  return recordOf(JSON.parse(new TextDecoder().decode(bytes)))
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
