import { CodedError } from '@hedron/contract'
import { type Executor, userGroups } from '@hedron/store'

/**
 * A group that people can change, kept from being deleted until the transaction ends.
 *
 * @throws {CodedError} `group_not_found`; `group_is_system` for those that Hedron makes to share content with.
 */
export async function holdCustomGroup(
  transaction: Executor,
  accountId: number,
  id: number,
): Promise<userGroups.UserGroupRow> {
  const group = await userGroups.holdUserGroup(transaction, accountId, id)
  if (!group) throw new CodedError('group_not_found', { group: id })
  if (group.kind !== 'custom') throw new CodedError('group_is_system', { name: group.name })
  return group
}
