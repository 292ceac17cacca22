import { LRUCache } from 'lru-cache'
import { createAdmission } from './admission.ts'
import { type Computation, createCompute } from './compute/compute.ts'
import { ContinueWait } from './continue-wait.ts'
import { createDrivers } from './drivers/drivers.ts'
import { createEngines, type Engines } from './engine/engines.ts'
import { createExecute, probe } from './execute.ts'
import { createFlights } from './flights.ts'
import { createOpenSources, driverFinder } from './open-sources.ts'
import { problems } from './query-service-error.ts'
import { checkRequest, checkRowQuery, keyOf, laneOf, refreshRequestOf, refreshTokenOf } from './request-key.ts'
import { createOpenRows } from './row-streams.ts'
import { createRunningStreams } from './running-streams.ts'
import type { DataSource } from './shapes/data-source.ts'
import type { Driver } from './shapes/driver.ts'
import type { QueryRequest, QueryResult, RowQuery, RowStream, Table } from './shapes/query.ts'
import type { QueryEvent, QueryServiceLimits, QueryServiceStatistics } from './shapes/service.ts'
import { noSharedResults, type SharedResults } from './shared-results/shared-results.ts'
import type { StoredResult } from './stored-result.ts'
import { createTableSink } from './table-sink.ts'
import { type After, systemAfter } from './timers.ts'

export interface QueryServiceOptions {
  /** Milliseconds since 1970. */
  now(): number
  /** Default: timers of the process. */
  readonly after?: After
  /** Default: those that are built in. */
  readonly drivers?: readonly Driver[]
  readonly limits?: QueryServiceLimits
  /** Where it computes. Default: engines of its own. */
  readonly engines?: Engines
  /** Results that other nodes computed. Default: none. It is closed with the service. */
  readonly sharedResults?: SharedResults
  log?(event: QueryEvent): void
}

export interface QueryService {
  /**
   * Gives the rows of a query: from the cache, from a query that already runs, or from the source, as `request.cache` says.
   *
   * An aborted signal takes this request off its query. The query itself goes on until the orphan time is over, because
   * whoever lost a connection asks again; but one that nobody else asked for is stopped at once where `waitMs` is infinite.
   *
   * @throws ContinueWait when the result is not there within `waitMs`; the identical request joins the query, or gets its
   * result if it has ended meanwhile
   * @throws QueryServiceError for every other way to end without rows
   */
  run(request: QueryRequest, signal?: AbortSignal): Promise<QueryResult>
  /**
   * Puts a result of `run` back for the identical request: whoever asked needs several results, another one made him wait, and he
   * asks for all of them again. Without this, results that none but he may see could be computed by turns for ever.
   */
  putBack(request: QueryRequest, result: QueryResult): void
  /** What `run` would give from the cache alone, at once; undefined when there is anything to wait for. */
  current(request: QueryRequest): QueryResult | undefined
  /**
   * Gives the rows of a query as they come from the source, however many, in a memory that does not grow with them. Never from
   * the cache and never into it. It takes a place in the queue like any other query until its last row is read.
   *
   * An aborted signal stops the query in the database.
   *
   * @throws QueryServiceError for every way to end before the first row; later ones are thrown by the stream
   */
  stream(request: RowQuery, signal?: AbortSignal): Promise<RowStream>
  /**
   * Computes over the rows of queries what no data source can compute alone, and gives the rows as `stream` does.
   *
   * An aborted signal stops it, wherever it is.
   *
   * @throws QueryServiceError for every way to end before the first row; later ones are thrown by the stream
   */
  compute(computation: Computation, signal?: AbortSignal): Promise<RowStream>
  /**
   * Takes a request off its queries and stops those for which no other request waits.
   *
   * @param pool only queries of this pool can be meant, whoever knows the id
   * @param owner and only those that were asked with this `owner`
   */
  cancel(pool: string, requestId: string, owner?: string): { readonly found: number; readonly stopped: number }
  /**
   * Asks a data source whether it answers, past every queue. For readiness probes; concurrent calls share one question.
   *
   * @throws QueryServiceError `source_unavailable`, `source_misconfigured`, `source_unsupported`
   */
  testConnection(pool: string, source: DataSource, timeoutMs?: number): Promise<void>
  /** Stops a pool's queries, drops its results and closes its connections: it was deleted, or its variables changed. */
  forget(pool: string): Promise<void>
  statistics(): QueryServiceStatistics
  /** Stops everything. What is asked afterwards ends with `service_closed`. */
  close(): Promise<void>
}

/** A result, and how the request came by it. */
interface Served {
  readonly stored: StoredResult
  readonly cached: boolean
  readonly slow: boolean
}

export function createQueryService(options: QueryServiceOptions): QueryService {
  const { now, after = systemAfter, drivers = createDrivers(), limits = {}, log = () => {} } = options
  const { engines = createEngines(), sharedResults = noSharedResults } = options
  const { waitMs: defaultWaitMs = 5_000, orphanMs = 120_000, staleMs = 24 * 3_600_000 } = limits
  const { resultBytes = 64 * 2 ** 20, idleMs = 5 * 60_000, closeMs = 10_000 } = limits

  const driverOf = driverFinder(drivers)
  const sources = createOpenSources({ driverOf, after, idleMs, closeMs })
  const places = limits.embeddedRunning ?? 4
  const admitting = { sharedPlaces: places, maximumWaiting: limits.queued ?? 500, after }
  const admission = createAdmission(admitting)
  // Apart, since a computation keeps its place while the queries wait over whose rows it computes.
  const computing = createAdmission(admitting)
  const isEmbedded = ({ source }: RowQuery) => driverOf(source).embedded
  const execute = createExecute({ admission, sources, isEmbedded, now, after })
  const streams = createRunningStreams({ after, stallMs: limits.stallMs ?? 30_000 })
  const openRows = createOpenRows({ execute, now, streams, log })
  const compute = createCompute({ after, admission: computing, streams, engines })
  const bytesOf = ({ stored }: Served) => stored.bytes
  const flights = createFlights<Served>({ after, orphanMs, heldBytes: resultBytes * 4, bytesOf })
  const results = new LRUCache<string, StoredResult>({
    maxSize: Math.max(limits.cacheBytes ?? 256 * 2 ** 20, resultBytes),
    sizeCalculation: ({ bytes }, key) => bytes + key.length,
  })
  const probing = new Map<string, Promise<void>>()
  const counted = {
    requests: 0,
    cacheHits: 0,
    sharedHits: 0,
    staleServed: 0,
    joined: 0,
    continueWaits: 0,
    executed: 0,
    failed: 0,
  }
  /** Where results came from that are not in the cache for whoever asks next. */
  const computed = new WeakMap<QueryResult, Served>()
  let closed = false

  async function serve(
    request: QueryRequest,
    wait: { signal: AbortSignal | undefined; returns: boolean },
  ): Promise<Served> {
    const { pool, cache, requestId, owner, waitMs = defaultWaitMs } = request
    const key = keyOf(request)
    const flightKey = flightKeyOf(request, key)
    const stored = cache === 'no-cache' ? undefined : results.get(key)
    const held = wait.returns ? flights.takeHeld(flightKey, request) : undefined
    if (stored && isCurrent(stored, request)) return { stored, cached: true, slow: false }
    if (held?.done) return held.value
    if (held) throw held.error

    const joins = flights.has(flightKey)
    const flight = flights.ensure(flightKey, pool, signal => ask(request, key, signal))
    if (joins) counted.joined += 1
    const stale = stored && now() - stored.validatedAt < request.refresh.everyMs + staleMs ? stored : undefined
    if (stale && cache === 'stale-while-revalidate') return { stored: stale, cached: true, slow: false }
    const fallback = cache === 'stale-if-slow' ? stale : undefined
    try {
      const returns = wait.returns && !fallback
      return await flights.wait(flight, { requestId, owner, waitMs, signal: wait.signal, returns })
    } catch (error) {
      if (fallback && error instanceof ContinueWait) return { stored: fallback, cached: true, slow: true }
      throw error
    }
  }

  function flightKeyOf(request: QueryRequest, key: string): string {
    return 'sql' in request.refresh && request.cache !== 'no-cache' ? key + keyOf(refreshRequestOf(request)) : key
  }

  function isCurrent(stored: StoredResult, request: QueryRequest): boolean {
    const { refresh } = request
    if (!('sql' in refresh)) return now() - stored.finishedAt < refresh.everyMs
    const answer = results.get(keyOf(refreshRequestOf(request)))
    if (!answer || now() - answer.finishedAt >= refresh.everyMs) return false
    return stored.refreshToken === refreshTokenOf(request, answer.table)
  }

  /** Asks the source, unless the refresh query shows that what is stored still holds. */
  async function ask(request: QueryRequest, key: string, signal: AbortSignal): Promise<Served> {
    const { pool, source, requestId } = request
    const askedAt = now()
    try {
      const refreshAnswer = await askRefresh(request, signal)
      const refreshToken = refreshAnswer && refreshTokenOf(request, refreshAnswer)
      const known = refreshToken === undefined ? undefined : results.get(key)
      if (known && known.refreshToken === refreshToken) {
        return { stored: keepValid(key, known), cached: true, slow: false }
      }
      const shared = await findShared(request, key, refreshToken)
      signal.throwIfAborted()
      if (shared) {
        counted.sharedHits += 1
        results.set(key, shared)
        return { stored: shared, cached: true, slow: false }
      }
      counted.executed += 1
      const sink = createTableSink({ maximumRows: request.maximumRows, maximumBytes: resultBytes })
      const { startedAt, finishedAt } = await execute(request, sink, signal)
      const table = sink.table()
      const bytes = sink.bytes()
      const refreshed = { refreshToken, refreshAnswer }
      const stored = { pool, table, startedAt, finishedAt, validatedAt: finishedAt, ...refreshed, bytes }
      signal.throwIfAborted()
      results.set(key, stored)
      sharedResults.write(key, stored, 'sql' in request.refresh ? staleMs : request.refresh.everyMs)
      const times = { waitedMs: startedAt - askedAt, ranMs: finishedAt - startedAt }
      log({ event: 'query_finished', pool, source: source.name, requestId, rows: table.rows.length, bytes, ...times })
      return { stored, cached: false, slow: false }
    } catch (error) {
      counted.failed += 1
      log({ event: 'query_failed', pool, source: source.name, requestId, error })
      throw error
    }
  }

  /** What another node computed, if it holds for this request. */
  async function findShared(request: QueryRequest, key: string, refreshToken: string | undefined) {
    const { cache, pool, refresh } = request
    if (cache === 'no-cache') return undefined
    const shared = await sharedResults.read(key, pool)
    if (!shared) return undefined
    if ('sql' in refresh) return shared.refreshToken === refreshToken ? { ...shared, validatedAt: now() } : undefined
    return now() - shared.finishedAt < refresh.everyMs ? shared : undefined
  }

  function keepValid(key: string, known: StoredResult): StoredResult {
    const stored = { ...known, validatedAt: now() }
    results.set(key, stored)
    return stored
  }

  async function askRefresh(request: QueryRequest, signal: AbortSignal): Promise<Table | undefined> {
    if (!('sql' in request.refresh) || request.cache === 'no-cache') return undefined
    const { stored } = await serve(refreshRequestOf(request), { signal, returns: false })
    return stored.table
  }

  function refuseWhenClosed(): void {
    if (closed) throw problems.serviceClosed()
  }

  return {
    async run(request, signal) {
      refuseWhenClosed()
      checkRequest(request)
      driverOf(request.source)
      if (signal?.aborted) throw problems.queryCancelled('the one who asked went away')
      counted.requests += 1
      try {
        const served = await serve(request, { signal, returns: true })
        const { stored, cached, slow } = served
        if (cached) counted.cacheHits += 1
        if (slow) counted.staleServed += 1
        const result = resultOf(stored, cached, slow)
        if (!cached) computed.set(result, served)
        return result
      } catch (error) {
        if (error instanceof ContinueWait) counted.continueWaits += 1
        throw error
      }
    },

    putBack(request, result) {
      const served = computed.get(result)
      if (closed || !served) return
      flights.putBack(flightKeyOf(request, keyOf(request)), request.pool, { done: true, value: served }, request)
    },

    current(request) {
      if (closed || request.cache === 'no-cache') return undefined
      const key = keyOf(request)
      const stored = results.get(key)
      if (!stored || flights.holds(flightKeyOf(request, key), request) || !isCurrent(stored, request)) return undefined
      counted.requests += 1
      counted.cacheHits += 1
      return resultOf(stored, true, false)
    },

    async stream(request, signal) {
      refuseWhenClosed()
      checkRowQuery(request)
      driverOf(request.source)
      counted.requests += 1
      counted.executed += 1
      return await openRows(request, signal)
    },

    async compute(computation, signal) {
      refuseWhenClosed()
      counted.requests += 1
      return await compute(computation, signal)
    },

    cancel(pool, requestId, owner) {
      const { found, stopped } = flights.cancel(pool, requestId, owner)
      const streamed = streams.cancel(pool, requestId, owner)
      return { found: found + streamed, stopped: stopped + streamed }
    },

    async testConnection(pool, source, timeoutMs = 5_000) {
      refuseWhenClosed()
      driverOf(source)
      const lane = laneOf(pool, source)
      const question = probing.get(lane) ?? probe(sources, { pool, source, timeoutMs, after })
      probing.set(lane, question)
      try {
        await question
      } finally {
        if (probing.get(lane) === question) probing.delete(lane)
      }
    },

    async forget(pool) {
      const reason = problems.queryCancelled('its deployment changed or was deleted')
      flights.stop(pool, reason)
      streams.stop(pool, reason)
      for (const [key, stored] of results.entries()) if (stored.pool === pool) results.delete(key)
      await Promise.all([sources.close(pool), sharedResults.forget(pool)])
    },

    statistics: () => ({
      ...counted,
      ...flights.count(),
      running: admission.count().running + computing.count().running,
      waiting: admission.count().waiting + computing.count().waiting,
      streams: streams.count(),
      openSources: sources.count(),
      cachedResults: results.size,
      cachedBytes: results.calculatedSize,
      sharesResults: sharedResults.isUsable(),
    }),

    async close() {
      closed = true
      flights.stop(undefined, problems.serviceClosed())
      streams.stop(undefined, problems.serviceClosed())
      results.clear()
      await Promise.all([sources.close(), sharedResults.close()])
    },
  }
}

function resultOf({ table, startedAt, refreshAnswer }: StoredResult, cached: boolean, slow: boolean): QueryResult {
  const refreshed = refreshAnswer === undefined ? {} : { refreshAnswer }
  return Object.freeze({ ...table, lastRefreshTime: new Date(startedAt), cached, slow, ...refreshed })
}
