import { createHash } from 'node:crypto'
import type { DataCaller } from './data-caller.ts'

const known = new WeakMap<DataCaller, string>()

/** Claims that differ from token to token of one and the same bearer. */
const ofTheTokenAlone = new Set(['iat', 'exp', 'nbf', 'jti'])

/**
 * Names the rights with which somebody asks, the same for every token of his: by it alone a query that runs can be cancelled by
 * its request id, which clients choose and others may guess.
 */
export function ownerOf(caller: DataCaller): string {
  const remembered = known.get(caller)
  if (remembered !== undefined) return remembered
  const { branchName, securityContext, groups, userAttributes } = caller
  const context = Object.entries(securityContext).filter(([name]) => !ofTheTokenAlone.has(name))
  const owner = createHash('sha256')
    .update(JSON.stringify([branchName, context, groups, userAttributes]))
    .digest('base64url')
  known.set(caller, owner)
  return owner
}
