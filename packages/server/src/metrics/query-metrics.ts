import type { QueryServiceStatistics } from '@hedron/query'
import type { Metric } from './exposition.ts'

export const counter = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  type: 'counter',
  samples: [{ value }],
})
export const gauge = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  type: 'gauge',
  samples: [{ value }],
})

/** What the query service counts, of all deployments together. */
export const queryMetrics = (now: QueryServiceStatistics): readonly Metric[] => [
  counter('hedron_queries_total', 'Queries that were asked of the query service.', now.requests),
  counter('hedron_query_cache_hits_total', 'Queries that were answered from the cache.', now.cacheHits),
  counter(
    'hedron_query_shared_hits_total',
    'Results that were taken from Redis, where another node or an earlier start had computed them.',
    now.sharedHits,
  ),
  counter(
    'hedron_query_stale_total',
    'Queries that were answered with expired rows, as the source was slow.',
    now.staleServed,
  ),
  counter('hedron_query_joined_total', 'Queries that joined one that ran already.', now.joined),
  counter('hedron_query_continue_waits_total', 'Queries that were answered by Continue wait.', now.continueWaits),
  counter('hedron_query_executed_total', 'Queries that went to a data source.', now.executed),
  counter('hedron_query_failed_total', 'Queries that ended without rows.', now.failed),
  gauge('hedron_queries_running', 'Queries and computations that run.', now.running),
  gauge('hedron_queries_waiting', 'Queries and computations that wait for a place.', now.waiting),
  gauge('hedron_query_flights', 'Results that somebody waits for or may come back for.', now.flights),
  gauge('hedron_query_held', 'Results that are held for somebody to come back.', now.held),
  gauge('hedron_query_streams', 'Results that are read row by row.', now.streams),
  gauge('hedron_query_sources_open', 'Data sources that are open.', now.openSources),
  gauge('hedron_query_cache_results', 'Results in the cache.', now.cachedResults),
  gauge('hedron_query_shared_up', '1 while results are shared by Redis; 0 without it.', now.sharesResults ? 1 : 0),
  gauge('hedron_query_cache_bytes', 'Memory that results in the cache take, roughly.', now.cachedBytes),
]
