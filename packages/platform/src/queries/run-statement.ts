import type { DataSource, QueryRequest, QueryResult, QueryService } from '@hedron/query'
import type { DeploymentRuntime } from './deployment-runtime.ts'
import { toDataError } from './to-data-error.ts'

/** Runs statements on data sources with the errors of the data API; a result that is in the cache and holds is given at once. */
export function createRun({ queryService }: { readonly queryService: QueryService }) {
  return (request: QueryRequest, context: { readonly signal: AbortSignal }): QueryResult | Promise<QueryResult> =>
    queryService.current(request) ?? ask(request, context.signal)

  async function ask(request: QueryRequest, signal: AbortSignal): Promise<QueryResult> {
    try {
      return await queryService.run(request, signal)
    } catch (error) {
      throw toDataError(error)
    }
  }
}

/** A data source of a deployment by its name. @throws {DataError} when it has none of that name, or a variable of it cannot be used. */
export function sourceOf(runtime: DeploymentRuntime, name: string): DataSource {
  try {
    return runtime.sources().get(name)
  } catch (error) {
    throw toDataError(error)
  }
}
