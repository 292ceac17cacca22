import { setTimeout as sleep } from 'node:timers/promises'
import { Pool, type PoolClient, type PoolConfig } from 'pg'
import { codeOf, reasonOf } from '../store-error.ts'
import type { StoreLog } from '../store-log.ts'
import { storeTypes } from './types.ts'

export interface PoolOptions {
  readonly log: StoreLog
  /** How many connections at most. */
  readonly size: number
  /** How long a connection may take, waiting for a free one included. */
  readonly connectMilliseconds: number
  /** How long a statement may run before the server ends it; 0: for ever. */
  readonly statementMilliseconds: number
}

/** A pool that survives its server. */
export interface StorePool {
  readonly pool: Pool
  /** As `pool.connect`, but tries again while the server is being started or replaced. */
  connect(): Promise<PoolClient>
  /** Ends connections as they come free. Bounded: what then still runs is left to the server's statement timeout. */
  end(): Promise<void>
}

const endMilliseconds = 5_000
const idleInTransactionMilliseconds = 60_000

export function createStorePool(target: PoolConfig, options: PoolOptions): StorePool {
  const { log, size, connectMilliseconds, statementMilliseconds } = options
  const pool = new Pool({
    application_name: 'hedron',
    options: '-c TimeZone=UTC',
    max: size,
    connectionTimeoutMillis: connectMilliseconds,
    statement_timeout: statementMilliseconds,
    idle_in_transaction_session_timeout: idleInTransactionMilliseconds,
    keepAlive: true,
    types: storeTypes,
    ...target,
  })
  // A connection that is lost while checked out and idle says so only here; the next query on it fails by itself.
  pool.on('connect', client => client.on('error', () => {}))
  let ended: Promise<void> | undefined
  pool.on('error', error => {
    // While the pool ends, the server may be quicker to close a connection than the pool is.
    if (ended === undefined) log('warn', `A connection to the database was lost: ${reasonOf(error)}`)
  })
  return {
    pool,
    connect: () => connectPatiently(pool, connectMilliseconds),
    end: () => {
      ended ??= endPool(pool)
      return ended
    },
  }
}

async function endPool(pool: Pool): Promise<void> {
  const done = new AbortController()
  const limit = sleep(endMilliseconds, undefined, { signal: done.signal }).catch(() => {})
  await Promise.race([pool.end(), limit])
  done.abort()
}

/** Refused, gone, or still starting: nothing was sent yet, so asking again is safe. */
const passingCodes = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EAI_AGAIN', '57P01', '57P02', '57P03'])

const isPassing = (error: unknown) =>
  passingCodes.has(codeOf(error) ?? '') || reasonOf(error) === 'Connection terminated unexpectedly'

async function connectPatiently(pool: Pool, milliseconds: number): Promise<PoolClient> {
  const deadline = AbortSignal.timeout(milliseconds)
  for (let pause = 20; ; pause = Math.min(pause * 1.5, 250)) {
    try {
      return await pool.connect()
    } catch (error) {
      if (!isPassing(error) || deadline.aborted) throw error
    }
    await sleep(pause)
  }
}
