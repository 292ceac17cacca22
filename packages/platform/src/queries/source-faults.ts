import { QueryServiceError, readDataSources } from '@hedron/query'

/** What is wrong with the data sources that a deployment's variables describe; undefined: nothing that can be seen without asking them. */
export type FaultOfSources = (
  deploymentId: number,
  variables: Readonly<Record<string, string>>,
) => { readonly name: string; readonly reason: string } | undefined

export function createFaultOfSources(dataFolder: (deploymentId: number) => string): FaultOfSources {
  return (deploymentId, variables) => {
    try {
      readDataSources(variables, { dataDirectory: dataFolder(deploymentId) })
      return undefined
    } catch (error) {
      if (error instanceof QueryServiceError && error.variable !== null) return error.variable
      throw error
    }
  }
}
