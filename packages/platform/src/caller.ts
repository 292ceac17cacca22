import type { Policy } from '@hedron/contract'

/**
 * Who makes a call, with which rights: made once for each request by authentication and handed to every platform function.
 * Nothing below looks at headers or tokens again.
 */
export interface Caller {
  readonly accountId: number
  readonly userId: number | null
  /** Name for logs, commits and the audit log. */
  readonly name: string
  readonly email: string
  readonly isAdmin: boolean
  readonly policies: readonly Policy[]
  /** Deployments that the credential is limited to; null: all of the account. */
  readonly deploymentScope: ReadonlySet<number> | null
  /** The credential itself, for what is kept by credential, such as dev mode: `key:<id>`, `embed:<session>`. */
  readonly credential: string
  /** The embed session whose token is sent; null for every other credential. */
  readonly embed: EmbedSession | null
}

/** What an embed session adds to its user (SPEC, "Generate embed session"). */
export interface EmbedSession {
  readonly id: number
  readonly deploymentId: number
  /** The branch whose model it asks; null: production. */
  readonly branchName: string | null
  /** Id the host knows the user by; null for an internal user. */
  readonly externalId: string | null
  /** Null: the account itself. */
  readonly embedTenant: { readonly id: number; readonly name: string } | null
  readonly creatorMode: boolean
  /** Names of the roles that it was made with. */
  readonly roles: readonly string[]
  /** Public id of the one dashboard that it is for; null: whatever its user may see. */
  readonly onlyDashboard: string | null
  /** Whether it is of somebody who is signed in here rather than of a host's signature. */
  readonly isPrivate: boolean
  readonly securityContext: Readonly<Record<string, unknown>>
  readonly settings: Readonly<Record<string, unknown>>
  /** When its token ends. */
  readonly endsAt: Date
}

/** Facts of one call beside who makes it. */
export interface CallContext {
  readonly requestId: string
  /** Network address of the client, for the audit log. */
  readonly address: string | null
  readonly signal: AbortSignal
}
