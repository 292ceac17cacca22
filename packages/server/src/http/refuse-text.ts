import { CodedError, explainIssues } from '@hedron/contract'

/**
 * Refuses text that no table and no file can hold: with a NUL character, or with half of a surrogate pair. Keys of objects count.
 *
 * @throws {CodedError} `invalid_request`, naming the field.
 */
export function refuseUnstorableText(value: unknown, where: string, path: readonly PropertyKey[] = []): void {
  if (typeof value === 'string') {
    const problem = problemOf(value)
    if (problem === undefined) return
    const issue = { code: 'custom' as const, path: [...path], message: problem, input: value }
    throw new CodedError('invalid_request', { problems: explainIssues([issue], where) })
  }
  if (typeof value !== 'object' || value === null) return
  const isList = Array.isArray(value)
  for (const [name, inner] of Object.entries(value)) {
    if (!isList) refuseUnstorableText(name, where, [...path, 'a key'])
    refuseUnstorableText(inner, where, [...path, isList ? Number(name) : name])
  }
}

function problemOf(text: string): string | undefined {
  if (text.includes('\0')) return 'must not hold a NUL character'
  if (!text.isWellFormed()) return 'must be valid Unicode, without half of a surrogate pair'
  return undefined
}
