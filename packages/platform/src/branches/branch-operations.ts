import type { Operations } from '../operations.ts'
import { createDevModeOperations } from './dev-mode.ts'
import { createManageBranchesOperations } from './manage-branches.ts'
import { createShareOperations, type ShareNeeds } from './share-branches.ts'

type BranchOperations = Pick<
  Operations,
  | 'listBranches'
  | 'createBranch'
  | 'removeBranch'
  | 'setBranchStagingEnvironment'
  | 'startDevMode'
  | 'stopDevMode'
  | 'commitChanges'
  | 'pull'
  | 'mergeIntoParentBranch'
  | 'mergeToDefaultBranch'
>

/** Branches and dev mode (SPEC, "Deployment and branches"; contract tag Data Model). */
export const createBranchOperations = (needs: ShareNeeds): BranchOperations => ({
  ...createManageBranchesOperations(needs),
  ...createDevModeOperations(needs),
  ...createShareOperations(needs),
})
