import { DataError } from '../data-error.ts'

/** Why a token is not taken, in the field's texts where it has them (contract/behaviour/query.md section 2). */
export const tokenErrors = {
  missing: () => new DataError(403, "Authorization header isn't set"),
  invalid: () => new DataError(403, 'Invalid token'),
  undecodable: () => new DataError(403, 'Unable to decode JWT key'),
  withoutKeyId: () => new DataError(403, 'JWT without kid inside headers'),
  keyNotFound: (kid: string) => new DataError(403, `Unable to verify, JWK with kid: "${kid.slice(0, 200)}" not found`),
  otherEnvironment: () => new DataError(403, 'Invalid token: it is of another environment of this deployment'),
  /** The token may well be good. What went wrong is for the operator: whoever asks has shown nothing yet. */
  keysUnavailable: () =>
    new DataError(
      503,
      'Tokens cannot be checked at the moment: the keys of CUBEJS_JWK_URL could not be read. Try again in a moment.',
    ),
  tooMany: () => new DataError(503, 'Too many tokens are being checked. Try again in a moment.', {}, { retryAfter: 1 }),
  misconfigured: (variable: string, reason: string) =>
    new DataError(500, `Error: tokens cannot be checked: ${variable} cannot be used: ${reason}`),
}
