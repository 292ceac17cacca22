import { CodedError } from '@hedron/contract'

/** Names of groups that the platform makes begin with it. */
const reservedPrefix = 'system:'

/** @throws {CodedError} `group_name_reserved`. */
export function requireGroupName(name: string): void {
  if (name.toLowerCase().startsWith(reservedPrefix)) throw new CodedError('group_name_reserved', { name })
}
