import type { StoredResult } from '../stored-result.ts'
import { createResultSeal } from './result-seal.ts'
import type { SharedResults } from './shared-results.ts'
import { fromBytes, toBytes } from './stored-bytes.ts'

export interface RedisResultsOptions {
  /** `redis://user:password@host:port/database`, or `rediss://` for TLS. */
  readonly url: string
  /** The installation's: what is kept is sealed with it. */
  readonly secretKey: Buffer
  /** Which installation this is, as others may have the same key and address. */
  readonly installation: string
  readonly randomBytes: (count: number) => Buffer
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Told when it does not answer, and when it does again. */
  readonly warn: (message: string) => void
}

/** A query would otherwise be asked of its source: that it may take this much longer is worth it, more is not. */
const commandMilliseconds = 250
/** After a command that was not answered in time nothing is asked for so long. */
const restMilliseconds = 5_000
const connectMilliseconds = 5_000
const longestRetryMilliseconds = 5_000
/** Of a result in memory, as the cache counts it. Larger ones would keep the thread that serves busy with writing and reading them. */
const mostBytes = 2 * 2 ** 20
const longestKeptMilliseconds = 30 * 24 * 3_600_000
/** One that fails and answers by turns, as when it is full, is told of so often. */
const warnMilliseconds = 60_000
/** Commands that one which says nothing may leave unanswered, with its connection open. */
const mostUnanswered = 1_000
/** Results that wait to be written; beyond it they are not shared. */
const mostWriting = 64
/** Of the shape of what is kept: nodes of different versions share nothing where it differs. */
const format = 1

/**
 * Results in Redis, 6 or later, or what speaks as it does. Connects in its own time, and again when it was cut.
 *
 * @throws TypeError for an address that is none
 */
export async function openRedisResults(options: RedisResultsOptions): Promise<SharedResults> {
  const { url, secretKey, installation, randomBytes, now, warn } = options
  // Read only where it is used: most installations are one node.
  const { createClient, RESP_TYPES } = await import('@redis/client')
  const seal = createResultSeal(secretKey, installation, randomBytes)
  const client = createClient({
    url,
    RESP: 2,
    // Nothing waits for a connection: without one, sources are asked.
    disableOfflineQueue: true,
    commandsQueueMaxLength: mostUnanswered,
    socket: {
      connectTimeout: connectMilliseconds,
      reconnectStrategy: retries => Math.min(100 * 2 ** Math.min(retries, 10), longestRetryMilliseconds),
    },
    commandOptions: { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } },
  })
  let restingUntil = 0
  let isAway = false
  let quietUntil = 0
  let isClosed = false
  const writing = new Set<Promise<void>>()

  client.on('error', missed)
  client.on('ready', () => {
    restingUntil = 0
    found()
  })
  client.connect().catch(missed)

  function missed(error: unknown): void {
    if (isClosed || isAway || now() < quietUntil) return
    isAway = true
    quietUntil = now() + warnMilliseconds
    const reason = error instanceof Error ? error.message || error.name : String(error)
    warn(`Redis cannot be used (${reason}): results are not shared until it can.`)
  }

  function found(): void {
    if (isAway) warn('Redis can be used again: results are shared.')
    isAway = false
  }

  const isUsable = () => !isClosed && client.isReady && now() >= restingUntil

  async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      const answer = await inTime(work())
      found()
      return answer
    } catch (error) {
      restingUntil = now() + restMilliseconds
      missed(error)
      return undefined
    }
  }

  const poolPrefix = (pool: string) => `hedron:result:${format}:${seal.name(`pool ${pool}`).slice(0, 16)}:`
  const nameOf = (key: string, pool: string) => `${poolPrefix(pool)}${seal.name(`key ${key}`)}`

  async function put(name: string, stored: StoredResult, forMs: number): Promise<void> {
    const sealed = seal.seal(name, await toBytes(stored))
    if (isUsable()) await attempt(() => client.set(name, sealed, { expiration: { type: 'PX', value: forMs } }))
  }

  return {
    isUsable,

    async read(key, pool) {
      if (!isUsable()) return undefined
      const name = nameOf(key, pool)
      const sealed = await attempt(() => client.get(name))
      if (!Buffer.isBuffer(sealed)) return undefined
      const bytes = seal.open(name, sealed)
      const stored = bytes && (await fromBytes(bytes).catch(() => undefined))
      if (!stored) return undefined
      // The clock of who computed it may be ahead. How long it holds is up to the clock of Redis, where it expires.
      const { startedAt, finishedAt, validatedAt } = stored
      const latest = now()
      return {
        ...stored,
        startedAt: Math.min(startedAt, latest),
        finishedAt: Math.min(finishedAt, latest),
        validatedAt: Math.min(validatedAt, latest),
      }
    },

    write(key, stored, forMs) {
      const milliseconds = Math.floor(Math.min(forMs, longestKeptMilliseconds))
      if (milliseconds < 1 || stored.bytes > mostBytes || writing.size >= mostWriting || !isUsable()) return
      const written = put(nameOf(key, stored.pool), stored, milliseconds)
        .catch(missed)
        .finally(() => writing.delete(written))
      writing.add(written)
    },

    async forget(pool) {
      if (!isUsable()) return
      const names = client.scanIterator({ MATCH: `${poolPrefix(pool)}*`, COUNT: 1_000 })
      for (;;) {
        const portion = await attempt(() => names.next())
        if (portion === undefined || portion.done) return
        const found = portion.value
        if (found.length > 0) await attempt(() => client.unlink(found))
      }
    },

    async close() {
      await Promise.all(writing)
      isClosed = true
      client.destroy()
    },
  }
}

/** The client's own time limit ends when a command is sent, not when it is answered. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer in ${commandMilliseconds} ms`)), commandMilliseconds)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
