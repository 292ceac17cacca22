import { setTimeout as delay } from 'node:timers/promises'
import { type Soon, whenThere } from '../soon.ts'
import type { BranchModel } from './branch-models.ts'

const pauseMilliseconds = 100

/** A branch whose first build is on its way is looked at again until it has ended, for as long as a query would be waited for. */
export function waitForBuild(look: () => Soon<BranchModel>, waitMs: number): Soon<BranchModel> {
  return whenThere(look(), branch => (isToCome(branch) ? lookAgain(branch, look, waitMs) : branch))
}

async function lookAgain(first: BranchModel, look: () => Soon<BranchModel>, waitMs: number): Promise<BranchModel> {
  let branch = first
  for (let waited = 0; isToCome(branch) && waited < waitMs; waited += pauseMilliseconds) {
    await delay(pauseMilliseconds)
    branch = await look()
  }
  return branch
}

const isToCome = ({ compiled, building }: BranchModel): boolean => compiled === null && building
