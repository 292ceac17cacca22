import { CodedError, type MergeConflict } from '@hedron/contract'
import { branches, type Executor } from '@hedron/store'
import type { Conflict } from '../git/index.ts'

/** What a transaction hands out where branches conflict, so that it can commit what it remembers of that before it is told. */
export interface FoundConflict {
  readonly branch: branches.BranchRow
  readonly other: branches.BranchRow
  readonly conflicts: readonly Conflict[]
}

/** Remembers with which commit a branch conflicted, for a resolution to be of that and no other. The branch must be locked. */
export async function rememberConflict(executor: Executor, found: FoundConflict): Promise<FoundConflict> {
  const { branch, other } = found
  await branches.updateBranch(executor, branch.accountId, branch.id, { conflictWith: other.head })
  return found
}

/** The conflicts as data, for the caller (DESIGN.md, "Model files are git objects"). */
export function mergeConflict({ branch, other, conflicts }: FoundConflict): CodedError {
  const paths = conflicts.map(conflict => conflict.path)
  return new CodedError(
    'merge_conflict',
    { branch: branch.name, into: other.name, paths },
    { conflicts: conflicts.map(showConflict) },
  )
}

const showConflict = ({ path, kind, base, ours, theirs, regions }: Conflict): MergeConflict => ({
  path,
  kind,
  base: base ?? null,
  ours: ours ?? null,
  theirs: theirs ?? null,
  regions: (regions ?? []).map(region => ({
    ...region,
    base: [...region.base],
    ours: [...region.ours],
    theirs: [...region.theirs],
  })),
})
