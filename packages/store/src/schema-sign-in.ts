import type { ColumnType } from 'kysely'

/** Somebody who is signed in to the pages, with one browser. */
export interface SignInTable {
  id: string
  accountId: number
  userId: number
  /** SHA-256 of the secret in the cookie. */
  digest: Buffer
  address: string | null
  /** What the browser says it is. */
  agent: string | null
  createdAt: Date
  seenAt: Date
  /** When it is over however busy it is. */
  endsAt: Date
}

/** A program that a person let act for him: the family of its tokens (RFC 9700 section 4.14). */
export interface LoginTable {
  id: string
  accountId: number
  userId: number
  clientId: string
  /** What a program that registered itself called itself then; null: one that is known here. */
  clientName: string | null
  /** `all`: whatever its user may do. `mcp-agent-access`: that, by the tools for assistants alone. */
  scope: ColumnType<LoginScope, LoginScope, never>
  address: string | null
  agent: string | null
  createdAt: Date
  usedAt: Date
  endsAt: Date
}

export type LoginScope = 'all' | 'mcp-agent-access'

/** A program that registered itself (RFC 7591). */
export interface OAuthClientTable {
  id: string
  /** As it calls itself. */
  name: string
  /** JSON text when written. */
  redirectUris: ColumnType<string[], string, never>
  address: string | null
  createdAt: Date
  /** When somebody let it in last; null: nobody has. */
  usedAt: Date | null
}

/** A person let a program in, which has not fetched its tokens yet or did so a moment ago. */
export interface AuthorizationCodeTable {
  digest: Buffer
  clientId: string
  accountId: number
  userId: number
  redirectUri: string
  /** SHA-256 of what the program shows to get its tokens, base64url (RFC 7636). */
  challenge: string
  createdAt: Date
  expiresAt: Date
  /** The login that the code was exchanged for. */
  loginId: string | null
}

export interface LoginTokenTable {
  digest: Buffer
  accountId: number
  loginId: string
  kind: 'access' | 'refresh'
  createdAt: Date
  expiresAt: Date
  /** When a refresh token was exchanged for the next one; null: it was not. */
  rotatedAt: Date | null
  /** The network address that exchanged it. */
  rotatedFor: string | null
}

/** A device code and the code that a person types for it (RFC 8628). */
export interface DeviceCodeTable {
  digest: Buffer
  /** Without a dash. */
  userCode: string
  clientId: string
  address: string | null
  agent: string | null
  createdAt: Date
  expiresAt: Date
  intervalSeconds: number
  polledAt: Date | null
  /** Of the person who decided; null until then, as the next three. */
  accountId: number | null
  userId: number | null
  decision: 'allowed' | 'denied' | null
  decidedAt: Date | null
  exchangedAt: Date | null
  exchangedFor: string | null
}

/** A link by which a person sets a password and signs in, once. */
export interface SignInLinkTable {
  digest: Buffer
  accountId: number
  userId: number
  createdAt: Date
  expiresAt: Date
}

/** A bucket that each attempt fills and that drains with time. */
export interface AttemptTable {
  /** SHA-256 of what is counted. */
  digest: Buffer
  /** What is in it at `at`. */
  level: number
  at: Date
  /** When it is empty again. */
  forgetAt: Date
}
