import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Effects } from '../effects.ts'
import type { ObjectId } from '../git/index.ts'

/** A name under which the data API answers from a tree that no branch holds, until it expires. */
export interface PlanNames {
  make(deploymentId: number, tree: ObjectId): string
  /** The tree; undefined where the name is of another deployment, forged, or too old. */
  read(deploymentId: number, name: string): ObjectId | undefined
}

const lifetime = 3_600_000
const pattern = /^plan-([0-9a-f]{40})-([0-9a-z]{1,12})-([0-9a-f]{32})$/

/**
 * Names carry a tree and a seal of this installation, so that nothing is kept for them: who has a name was given it by a plan, and
 * nobody can make one for another tree, of which there may be some whose access policies were weaker.
 */
export function createPlanNames({ effects, secretKey }: { effects: Effects; secretKey: Buffer }): PlanNames {
  const sealOf = (deploymentId: number, tree: string, expires: string): string =>
    createHmac('sha256', secretKey).update(`plan ${deploymentId} ${tree} ${expires}`).digest('hex').slice(0, 32)
  return {
    make(deploymentId, tree) {
      const expires = (effects.now().getTime() + lifetime).toString(36)
      return `plan-${tree}-${expires}-${sealOf(deploymentId, tree, expires)}`
    },
    read(deploymentId, name) {
      const [, tree = '', expires = '', seal = ''] = pattern.exec(name) ?? []
      if (tree === '' || Number.parseInt(expires, 36) < effects.now().getTime()) return undefined
      const expected = sealOf(deploymentId, tree, expires)
      return timingSafeEqual(Buffer.from(seal), Buffer.from(expected)) ? tree : undefined
    },
  }
}
