import { LRUCache } from 'lru-cache'
import type { BranchModel, FindBranchModel } from '../queries/branch-models.ts'
import { whenThere } from '../soon.ts'
import type { BranchChanges } from './branch-changes.ts'

interface Remembered {
  readonly branch: BranchModel
  readonly generation: string
}

const remembered = 1000
/** Should a change be lost on its way from another node, this is how long the old answer lives. */
const longestMilliseconds = 5000
/** How exactly that is kept; to the millisecond would take a timer for each. */
const resolutionMilliseconds = 100

/**
 * Remembers what branches answer from, so that a request on a warm path asks the database nothing. What is remembered counts only
 * while no change of the deployment's branches was seen since before it was read.
 */
export function rememberBranches(find: FindBranchModel, changes: Pick<BranchChanges, 'generation'>): FindBranchModel {
  const known = new LRUCache<string, Remembered>({
    max: remembered,
    ttl: longestMilliseconds,
    ttlResolution: resolutionMilliseconds,
  })
  return (accountId, deploymentId, branchName) => {
    const generation = changes.generation(deploymentId)
    if (generation === null) return find(accountId, deploymentId, branchName)
    const key = branchName === null ? `${accountId} ${deploymentId}` : `${accountId} ${deploymentId} ${branchName}`
    const entry = known.get(key)
    if (entry?.generation === generation) return entry.branch
    return whenThere(find(accountId, deploymentId, branchName), branch => {
      // A branch that is not built yet changes with its build, which is no change of the branch.
      if (branch && branch.compiled !== null) known.set(key, { branch, generation })
      return branch
    })
  }
}
