import { problems } from './query-service-error.ts'
import type { DataSource } from './shapes/data-source.ts'
import type { Driver, OpenSource } from './shapes/driver.ts'
import type { After } from './timers.ts'

export interface OpenSources {
  /** Lends the data source as this pool has opened it, opening it when needed; many can use it at once. */
  use<T>(pool: string, source: DataSource, work: (opened: OpenSource) => Promise<T>): Promise<T>
  /** Closes what one pool has open, or what all have, as soon as nothing uses it. Waits for that, but not for ever. */
  close(pool?: string): Promise<void>
  count(): number
}

interface Opened {
  readonly pool: string
  readonly opening: Promise<OpenSource>
  readonly closed: PromiseWithResolvers<void>
  users: number
  retired: boolean
  stopIdleTimer: () => void
}

export function createOpenSources(options: {
  readonly driverOf: (source: DataSource) => Driver
  readonly after: After
  /** How long a data source stays open unused. */
  readonly idleMs: number
  /** How long `close` waits for what still runs. */
  readonly closeMs: number
}): OpenSources {
  const { driverOf, after, idleMs, closeMs } = options
  const all = new Map<string, Opened>()
  const keyOf = (pool: string, source: DataSource) => JSON.stringify([pool, source.fingerprint])

  function open(key: string, pool: string, source: DataSource): Opened {
    const opened: Opened = {
      pool,
      opening: driverOf(source).open(source),
      closed: Promise.withResolvers(),
      users: 0,
      retired: false,
      stopIdleTimer: () => {},
    }
    all.set(key, opened)
    return opened
  }

  function retire(key: string, opened: Opened): void {
    opened.retired = true
    opened.stopIdleTimer()
    if (all.get(key) === opened) all.delete(key)
    if (opened.users > 0) return
    // What failed to open has told its user so, and holds nothing.
    opened.opening
      .then(source => source.close())
      .catch(() => {})
      .finally(opened.closed.resolve)
  }

  return {
    async use(pool, source, work) {
      const key = keyOf(pool, source)
      const opened = all.get(key) ?? open(key, pool, source)
      opened.stopIdleTimer()
      opened.users += 1
      let failedToOpen = true
      try {
        const ready = await opened.opening
        failedToOpen = false
        return await work(ready)
      } finally {
        opened.users -= 1
        if (failedToOpen || (opened.retired && opened.users === 0)) retire(key, opened)
        else if (opened.users === 0) opened.stopIdleTimer = after(idleMs, () => retire(key, opened))
      }
    },
    async close(pool) {
      const closing = [...all].filter(([, opened]) => pool === undefined || opened.pool === pool)
      for (const [key, opened] of closing) retire(key, opened)
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const stopTimer = after(closeMs, resolve)
      await Promise.race([Promise.all(closing.map(([, { closed }]) => closed.promise)), late])
      stopTimer()
    },
    count: () => all.size,
  }
}

/** @throws QueryServiceError `source_unsupported` */
export function driverFinder(drivers: readonly Driver[]): (source: DataSource) => Driver {
  const byType = new Map(drivers.map(driver => [driver.type, driver]))
  return source => {
    const driver = byType.get(source.type)
    if (!driver) throw problems.sourceUnsupported(source, [...byType.keys()])
    return driver
  }
}
