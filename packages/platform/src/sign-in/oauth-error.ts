/** Codes of RFC 6749 sections 4.1.2.1 and 5.2, RFC 7591 section 3.2.2, RFC 8628 section 3.5 and RFC 8707 section 2. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unsupported_grant_type'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | 'temporarily_unavailable'
  | 'unsupported_response_type'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'

const statuses: Partial<Record<OAuthErrorCode, number>> = { invalid_client: 401, temporarily_unavailable: 429 }

/** A refusal to a program that logs in, in the form that OAuth clients read. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode
  readonly status: number
  /** Seconds to wait before the next try, where that is known. */
  readonly retryAfter: number | null

  constructor(code: OAuthErrorCode, description: string, retryAfter: number | null = null) {
    super(description)
    this.name = 'OAuthError'
    this.code = code
    this.status = statuses[code] ?? 400
    this.retryAfter = retryAfter
  }
}
