/**
 * An answer of the data API that is not a result: its clients read `{ error }`, not the platform's error shape
 * (contract/behaviour/query.md section 3).
 */
export class DataError extends Error {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  /** Seconds after which it may go better. */
  readonly retryAfter: number | undefined

  constructor(
    status: number,
    error: string,
    more: Readonly<Record<string, unknown>> = {},
    options: { readonly retryAfter?: number } = {},
  ) {
    super(error)
    this.name = 'DataError'
    this.status = status
    this.body = { ...more, error }
    this.retryAfter = options.retryAfter
  }
}

/** The query goes on; the client sends the identical request again. HTTP 200 by the field's convention. */
export const continueWait = () => new DataError(200, 'Continue wait')

export const isContinueWait = (error: unknown): boolean =>
  error instanceof DataError && error.status === 200 && error.message === 'Continue wait'
