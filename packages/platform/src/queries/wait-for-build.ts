import { setTimeout as delay } from 'node:timers/promises'
import type { BranchModel } from './branch-models.ts'

const pauseMilliseconds = 100

/** A branch whose first build is on its way is looked at again until it has ended, for as long as a query would be waited for. */
export async function waitForBuild(look: () => Promise<BranchModel>, waitMs: number): Promise<BranchModel> {
  for (let waited = 0; ; waited += pauseMilliseconds) {
    const branch = await look()
    if (branch.compiled !== null || !branch.building || waited >= waitMs) return branch
    await delay(pauseMilliseconds)
  }
}
