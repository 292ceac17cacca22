import { createQueryService, type QueryService } from '../../src/query-service.ts'
import type { DataSource } from '../../src/shapes/data-source.ts'
import type { QueryRequest } from '../../src/shapes/query.ts'
import type { QueryEvent, QueryServiceLimits } from '../../src/shapes/service.ts'
import { createFakeDriver, type FakeDriver } from './fake-driver.ts'
import { createManualClock, type ManualClock } from './manual-clock.ts'

export const fakeSource: DataSource = {
  name: 'default',
  type: 'fake',
  concurrency: 4,
  timeoutMs: 600_000,
  dataDirectory: '/nowhere',
  variablePrefix: 'CUBEJS_',
  settings: {},
  fingerprint: 'fake-1',
}

export const requestOf = (changes: Partial<QueryRequest> = {}): QueryRequest => ({
  pool: 'production',
  source: fakeSource,
  sql: 'SELECT 1',
  parameters: [],
  cache: 'stale-if-slow',
  refresh: { everyMs: 10_000 },
  maximumRows: 100,
  requestId: 'request-1',
  ...changes,
})

export interface TestService {
  readonly service: QueryService
  readonly driver: FakeDriver
  readonly clock: ManualClock
  readonly events: QueryEvent[]
}

/** The real service on a clock and a database that stand still until told otherwise. */
export function createTestService(limits: QueryServiceLimits = {}, driver = createFakeDriver()): TestService {
  const clock = createManualClock()
  const events: QueryEvent[] = []
  const { now, after } = clock
  const service = createQueryService({ now, after, drivers: [driver], limits, log: event => events.push(event) })
  return { service, driver, clock, events }
}

/** How a promise stands: `pending`, its value, or what it was rejected with. */
export async function stateOf(promise: Promise<unknown>): Promise<unknown> {
  const pending = Symbol('pending')
  const first = await Promise.race([
    promise.catch(error => error),
    new Promise(resolve => setImmediate(() => resolve(pending))),
  ])
  return first === pending ? 'pending' : first
}
