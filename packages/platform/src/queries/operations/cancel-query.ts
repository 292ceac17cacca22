import type { DataCaller } from '../data-caller.ts'
import { poolName } from '../deployment-runtime.ts'
import { ownerOf } from '../owner-of.ts'
import type { OperationNeeds } from './operation-needs.ts'

/**
 * Stops the queries of a request of the same caller: `DELETE /v1/running-query/{requestId}` (contract/behaviour/query.md sections 1
 * and 6). On every node. A query for which somebody else waits too goes on for him. No scope is needed: who may not query has nothing to stop.
 */
export function createCancelQuery({ cancels }: Pick<OperationNeeds, 'cancels'>) {
  return async (caller: DataCaller, requestId: string): Promise<object> => {
    const found = await cancels.cancel(poolName(caller.deploymentId), requestId, ownerOf(caller))
    // What a query is kept under holds its SQL, which callers are not shown; its number tells one from another.
    const result = Array.from({ length: found }, (_, index) => ({
      queryHandler: 'query',
      queryKey: [index],
      requestId,
    }))
    return { result }
  }
}
