/** More of an error that clients can show (PostgreSQL documentation, "Error and Notice Message Fields"). */
export interface PgErrorDetails {
  readonly detail?: string
  readonly hint?: string
  /** Where in the statement, counted in characters from 1. */
  readonly position?: number
  readonly cause?: unknown
}

/**
 * What a PostgreSQL client is told when something cannot be done. `code` is an SQLSTATE (PostgreSQL documentation, appendix A).
 * A fatal one ends the session.
 */
export class PgError extends Error {
  readonly code: string
  readonly fatal: boolean
  readonly details: PgErrorDetails

  constructor(code: string, message: string, details: PgErrorDetails = {}, fatal = false) {
    super(message, { cause: details.cause })
    this.name = 'PgError'
    this.code = code
    this.fatal = fatal
    this.details = details
  }
}

/** The bytes that came are not the protocol; the session ends, because where the next message begins is not known. */
export const protocolViolation = (what: string) => new PgError('08P01', what, {}, true)

/** @returns an error of a session that must end, with what the client is told last. */
export const fatal = (code: string, message: string, details: PgErrorDetails = {}) =>
  new PgError(code, message, details, true)
