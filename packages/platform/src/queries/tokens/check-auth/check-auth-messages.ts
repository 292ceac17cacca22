import type { CheckAuth, CheckAuthOutcome } from '@hedron/semantic'

/** What the thread that checks tokens is asked. */
export interface CheckAuthQuestion {
  readonly checkAuth: CheckAuth
  readonly header: string
  readonly token: string
  /** What `process.env` holds. */
  readonly env: Readonly<Record<string, string>>
  /** Values by the texts that stand for them in `env`. */
  readonly secrets: ReadonlyMap<string, string>
  /** Milliseconds since 1970. */
  readonly now: number
}

export type CheckAuthAnswer =
  | {
      readonly outcome: CheckAuthOutcome
      /** When the first of the tokens ends that were verified, in seconds since 1970; Infinity where none does. */
      readonly endsAt: number
    }
  | { readonly fault: unknown }
