import { QueryServiceError } from '@hedron/query'
import { poolName } from '../deployment-runtime.ts'
import type { OperationNeeds } from './operation-needs.ts'

/** Whether a deployment's default data source answers: its `/readyz`. */
export function createIsReady({ runtimes, queryService }: OperationNeeds) {
  return async (deploymentId: number): Promise<boolean> => {
    const runtime = await runtimes.find(deploymentId)
    if (!runtime) return false
    try {
      await queryService.testConnection(poolName(deploymentId), runtime.sources().get('default'))
      return true
    } catch (error) {
      if (error instanceof QueryServiceError) return false
      throw error
    }
  }
}
