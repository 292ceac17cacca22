import { CodedError } from '@hedron/contract'

/** Names of groups that the platform makes begin with it. */
const reservedPrefix = 'system:'

/** The group that stands for every embed user, and what access policies call everybody. */
const reservedNames: ReadonlySet<string> = new Set(['all_embed_users', '*'])

/** @throws {CodedError} `group_name_reserved`. */
export function requireGroupName(name: string): void {
  const folded = name.toLowerCase()
  if (folded.startsWith(reservedPrefix) || reservedNames.has(folded))
    throw new CodedError('group_name_reserved', { name })
}
