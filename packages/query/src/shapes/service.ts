/** What the operator allows. Every member has a default. */
export interface QueryServiceLimits {
  /** How long a request waits before `ContinueWait` when it does not say. Default 5 s. */
  readonly waitMs?: number
  /** How long a query goes on, and its result is held, while nobody asks for it. Default 120 s. */
  readonly orphanMs?: number
  /** Memory for results that can be asked for again. Default 256 MiB. */
  readonly cacheBytes?: number
  /** Memory that one result may take; results held for a request to come back take at most four times as much. Default 64 MiB. */
  readonly resultBytes?: number
  /** How long after it expired a result may still be served as stale. Default 24 h. */
  readonly staleMs?: number
  /** Queries that may wait for one data source of one pool. Default 500. */
  readonly queued?: number
  /** Queries that embedded databases run at once, over all pools, and computations beside them. Default 4. */
  readonly embeddedRunning?: number
  /** How long the rows of a stream may lie ready before its query is stopped, as its reader holds a place. Default 30 s. */
  readonly stallMs?: number
  /** How long an unused data source stays open. Default 5 min. */
  readonly idleMs?: number
  /** How long `forget` and `close` wait for running queries to let go. Default 10 s. */
  readonly closeMs?: number
}

/** What the service tells its log. `error.cause` of a failure holds the database's own words. */
export type QueryEvent =
  | {
      readonly event: 'query_finished'
      readonly pool: string
      readonly source: string
      readonly requestId: string
      readonly rows: number
      readonly bytes: number
      readonly waitedMs: number
      readonly ranMs: number
    }
  | {
      readonly event: 'query_failed'
      readonly pool: string
      readonly source: string
      readonly requestId: string
      readonly error: unknown
    }

/** Counts since the start, and how things stand. */
export interface QueryServiceStatistics {
  readonly running: number
  readonly waiting: number
  /** Results that somebody waits for or may come back for. */
  readonly flights: number
  readonly held: number
  /** Queries and computations whose rows are read as they come; they wait and run like all others. */
  readonly streams: number
  readonly openSources: number
  readonly cachedResults: number
  readonly cachedBytes: number
  readonly requests: number
  readonly cacheHits: number
  /** Of the queries that were not in this node's cache: those whose result another node had computed. */
  readonly sharedHits: number
  /** Whether other nodes' results can be had now; false where they are not shared. */
  readonly sharesResults: boolean
  readonly staleServed: number
  readonly joined: number
  readonly continueWaits: number
  readonly executed: number
  readonly failed: number
}
