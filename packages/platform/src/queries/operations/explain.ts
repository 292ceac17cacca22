import { requireScope } from '../authenticate-data.ts'
import type { DataCaller } from '../data-caller.ts'
import { toDataError } from '../to-data-error.ts'
import type { OperationNeeds } from './operation-needs.ts'

/** How each query of a request is answered and why so. */
export function createExplain({ understand }: OperationNeeds) {
  return async (caller: DataCaller, parameters: unknown): Promise<object> => {
    requireScope(caller, 'data')
    const { planned } = await understand(caller, parameters)
    try {
      return { queryType: planned[0]?.query.queryType, explanations: planned.map(({ explain }) => explain()) }
    } catch (error) {
      throw toDataError(error)
    }
  }
}
