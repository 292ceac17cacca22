import type { Branch } from '@hedron/contract'
import type { branches } from '@hedron/store'

export const showBranch = ({ id, name, parentName, head, isStagingEnabled }: branches.BranchRow): Branch => ({
  id,
  name,
  parentBranch: parentName,
  lastHash: head,
  isStagingEnvironmentEnabled: isStagingEnabled,
})
