import { LRUCache } from 'lru-cache'
import type { BranchChanges } from '../../builds/branch-changes.ts'
import type { FindAgent, FoundAgent } from './find-agent.ts'

interface RememberNeeds {
  readonly find: FindAgent
  readonly changes: Pick<BranchChanges, 'generation'>
  /** The folder of the deployment's projects that describes agents, as its variables say now. */
  readonly directoryOf: (deploymentId: number) => Promise<string | null>
}

interface Remembered {
  readonly found: FoundAgent
  readonly generation: string
  readonly directory: string | null
}

const remembered = 1000
/** Should a change be lost on its way from another node, this is how long the old answer lives. */
const longestMilliseconds = 5000

/**
 * Remembers agents of deploy branches, so that a message asks the database nothing of them. What is remembered counts only while no
 * change of the deployment, its branches and its agents was seen since before it was read; a dev branch, whose files change with each
 * key that is pressed, is always read anew.
 */
export function rememberAgents({ find, changes, directoryOf }: RememberNeeds): FindAgent {
  const known = new LRUCache<string, Remembered>({ max: remembered, ttl: longestMilliseconds })
  // An agent never moves, but until it was found once it is not known whose changes to look at.
  const homes = new LRUCache<string, number>({ max: remembered })

  return async (accountId, key, branchName) => {
    if (branchName !== null) return find(accountId, key, branchName)
    const name = JSON.stringify([accountId, key])
    const home = 'deploymentId' in key ? key.deploymentId : homes.get(name)
    if (home === undefined) {
      const found = await find(accountId, key, null)
      if (found) homes.set(name, found.deploymentId)
      return found
    }
    const generation = changes.generation(home)
    if (generation === null) return find(accountId, key, null)
    const directory = await directoryOf(home)
    const entry = known.get(name)
    if (entry?.generation === generation && entry.directory === directory) return entry.found
    const found = await find(accountId, key, null)
    if (found) known.set(name, { found, generation, directory })
    return found
  }
}
