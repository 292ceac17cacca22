import { createDrivers } from './drivers/drivers.ts'
import { problems } from './query-service-error.ts'
import type { QueryRequest, QueryResult } from './shapes/query.ts'

export interface QueryService {
  run(request: QueryRequest, signal?: AbortSignal): Promise<QueryResult>
}

export function createQueryService(options: { now(): number }): QueryService {
  const drivers = new Map(createDrivers().map(driver => [driver.type, driver]))
  return {
    async run(request, signal = new AbortController().signal) {
      const { source } = request
      const driver = drivers.get(source.type)
      if (!driver) throw problems.sourceUnsupported(source.name, source.type, [...drivers.keys()])
      const opened = await driver.open(source)
      try {
        const lastRefreshTime = new Date(options.now())
        return { ...(await opened.run(request, signal)), lastRefreshTime, cached: false, slow: false }
      } finally {
        await opened.close()
      }
    },
  }
}
