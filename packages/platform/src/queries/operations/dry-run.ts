import { requireScope } from '../authenticate-data.ts'
import type { DataCaller } from '../data-caller.ts'
import { pivotQuery } from '../pivot-query.ts'
import type { OperationNeeds } from './operation-needs.ts'
import { orderOf } from './order-of.ts'

/** What a request would be understood as, with every default filled in; nothing is run. */
export function createDryRun({ understand }: OperationNeeds) {
  return async (caller: DataCaller, parameters: unknown): Promise<object> => {
    requireScope(caller, 'data')
    const { planned } = await understand(caller, parameters)
    return {
      queryType: planned[0]?.query.queryType,
      normalizedQueries: planned.map(each => each.query),
      queryOrder: planned.map(each => orderOf(each.query)),
      transformedQueries: planned.map(each => each.rollupNeeds() ?? {}),
      pivotQuery: pivotQuery(planned.map(each => each.query)),
    }
  }
}
