import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'

export interface ListenOptions {
  /** One word, in lower case. */
  readonly channel: string
  onMessage(payload: string): void
  /** Listening has begun, or begun again: what was said before was not heard. */
  onBegin(): void
  /** Listening has ended; it is begun again soon. */
  onEnd(): void
}

export interface Listener {
  /** Ends it for good and gives its connection back. */
  close(): Promise<void>
}

const retryMilliseconds = 1000

/** Listens to PostgreSQL's notifications on a connection of the pool, which it keeps; one that is lost is replaced. */
export function listen(pool: Pool, { channel, onMessage, onBegin, onEnd }: ListenOptions): Listener {
  if (!/^[a-z_]{1,63}$/.test(channel)) throw new Error(`${channel} cannot be a channel`)
  const closing = new AbortController()
  const done = keepListening()

  async function keepListening(): Promise<void> {
    while (!closing.signal.aborted) {
      await listenOnce().catch(() => {})
      if (!closing.signal.aborted) await sleep(retryMilliseconds, undefined, { signal: closing.signal }).catch(() => {})
    }
  }

  async function listenOnce(): Promise<void> {
    const client = await pool.connect()
    const lost = untilLost(client)
    try {
      client.on('notification', message => onMessage(message.payload ?? ''))
      await client.query(`listen ${channel}`)
      if (closing.signal.aborted) return
      onBegin()
      await lost
    } finally {
      onEnd()
      // Not given back to the pool: it would go on listening there.
      client.release(true)
    }
  }

  function untilLost(client: PoolClient): Promise<void> {
    return new Promise(resolve => {
      client.once('end', () => resolve())
      client.once('error', () => resolve())
      closing.signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }

  return {
    async close() {
      closing.abort()
      await done
    },
  }
}
