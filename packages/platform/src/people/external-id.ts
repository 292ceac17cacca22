import { CodedError } from '@hedron/contract'

const longest = 255

/** Characters that nobody sees, or that move what is seen: two ids that look alike must be one. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/**
 * The one form of an external id (SPEC, "External user"): NFC, trimmed, every letter in lower case as Unicode maps it one by one,
 * whatever the language; letters that are written differently stay apart (`ß` and `ss`).
 *
 * @throws {CodedError} `invalid_request` for an empty id, one of more than 255 characters, and invisible characters.
 */
export function normalizeExternalId(given: string): string {
  const id = given.normalize('NFC').trim().toLowerCase().normalize('NFC')
  const problem =
    id === ''
      ? 'must not be empty'
      : id.length > longest
        ? `must not be longer than ${longest} characters`
        : unseen.test(id)
          ? 'must not hold control characters or invisible ones'
          : undefined
  if (problem !== undefined) throw new CodedError('invalid_request', { problems: `externalId: ${problem}` })
  return id
}
