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
  /** The credential itself, for what is kept by credential, such as dev mode: `key:<id>`. */
  readonly credential: string
}

/** Facts of one call beside who makes it. */
export interface CallContext {
  readonly requestId: string
  /** Network address of the client, for the audit log. */
  readonly address: string | null
  readonly signal: AbortSignal
}
