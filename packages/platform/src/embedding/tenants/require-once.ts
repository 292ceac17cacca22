import { CodedError } from '@hedron/contract'

/** @throws {CodedError} `definition_duplicate`, naming the first name that stands twice. */
export function requireOnce(field: string, definitions: readonly { readonly name: string }[]): void {
  const seen = new Set<string>()
  for (const { name } of definitions) {
    if (seen.has(name)) throw new CodedError('definition_duplicate', { field, name })
    seen.add(name)
  }
}
