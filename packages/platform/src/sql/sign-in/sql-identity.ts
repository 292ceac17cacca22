import type { DataCaller } from '../../queries/data-caller.ts'

/** Who was let in over the SQL protocol. */
export interface SqlIdentity {
  readonly caller: DataCaller
  /** Name of the deployment, as the database is called. */
  readonly database: string
  /** Whether he may speak for other users: the deployment's `CUBEJS_SQL_SUPER_USER`. */
  readonly maySwitchUser: boolean
  /** After how long he must be let in again, in milliseconds. */
  readonly expiresMs: number
  /** When what he showed is worth nothing any more, in milliseconds since 1970; Infinity where it says nothing of that. */
  readonly expiresAt: number
  /** Sessions that the deployment allows at once. */
  readonly maximumSessions: number
}

/** What a client says of itself before it proves anything. */
export interface SqlStartup {
  readonly user: string
  /** Id or name of a deployment, with a branch behind a slash if not its production. */
  readonly database: string
  /** The branch, where the client names it by an option. */
  readonly branch: string | null
}

/** How a client has to prove who it is. */
export interface SqlSignIn {
  /** The password that it must know, to be proved without sending it; null: it sends a key or token. */
  readonly password: string | null
  /**
   * Lets it in. To be called again when the identity has expired.
   *
   * @param secret what was sent; null where the password was proved.
   * @returns null where nobody is let in, whatever the reason.
   */
  accept(secret: string | null): Promise<SqlIdentity | null>
}
