import { type OperationId, routes } from '@hedron/contract'
import type { BranchChanges } from './builds/branch-changes.ts'
import type { CallContext, Caller } from './caller.ts'
import type { Operations } from './operations.ts'

type AnyOperation = (
  caller: Caller,
  input: { readonly params: { readonly deploymentId?: number } },
  context: CallContext,
) => Promise<unknown>

/**
 * Operations that say, before they answer, that a deployment's branches may have changed: each one that is not a GET and has a
 * deployment in its path. So whoever saw a write acknowledged by this node also reads it from this node.
 */
export function tellChanges(changes: Pick<BranchChanges, 'changed'>, operations: Operations): Operations {
  const told = Object.entries(operations).map(([id, operation]) => {
    // Each entry goes back under its own id, so its type stays what it was.
    const call = operation as unknown as AnyOperation
    if (routes[id as OperationId].method === 'get') return [id, operation]
    const telling: AnyOperation = async (caller, input, context) => {
      try {
        return await call(caller, input, context)
      } finally {
        if (input.params?.deploymentId !== undefined) changes.changed(input.params.deploymentId)
      }
    }
    return [id, telling]
  })
  return Object.fromEntries(told)
}
