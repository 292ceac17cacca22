import type { QueryRequest, QueryResult, QueryService } from '@hedron/query'

/** Results that one request needs all of. */
export interface ResultsTogether {
  /** Gives a result on, and remembers it. */
  take(request: QueryRequest, result: Promise<QueryResult>): Promise<QueryResult>
  /** One of them made the request wait: the others, and those that come now, are put back for when it is asked again. */
  putBack(): void
}

/** Without this, two slow results of a request that may not come from the cache would be computed by turns for ever. */
export function createResultsTogether(queryService: Pick<QueryService, 'putBack'>): ResultsTogether {
  const taken: { readonly request: QueryRequest; readonly result: QueryResult }[] = []
  let isToWait = false
  return {
    async take(request, coming) {
      const result = await coming
      if (isToWait) queryService.putBack(request, result)
      else taken.push({ request, result })
      return result
    },
    putBack() {
      isToWait = true
      for (const { request, result } of taken.splice(0)) queryService.putBack(request, result)
    },
  }
}
