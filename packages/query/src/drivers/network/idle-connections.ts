/** Connections that nothing uses at the moment. How many are in use is bounded by the queue before the driver. */
export interface IdleConnections<C> {
  /** One that was used before; undefined when there is none. */
  take(): C | undefined
  /** Keeps it for the next query, but not for ever. */
  keep(connection: C): void
  /** Ends all; what is kept afterwards is ended at once. */
  close(): Promise<void>
}

export function createIdleConnections<C>(options: {
  readonly idleMs: number
  readonly end: (connection: C) => unknown
}): IdleConnections<C> {
  const { idleMs, end } = options
  const idle = new Map<C, NodeJS.Timeout>()
  let closed = false
  return {
    take() {
      const [last] = [...idle.keys()].slice(-1)
      if (last !== undefined) {
        clearTimeout(idle.get(last))
        idle.delete(last)
      }
      return last
    },
    keep(connection) {
      if (closed) return void end(connection)
      const drop = () => {
        idle.delete(connection)
        end(connection)
      }
      idle.set(connection, setTimeout(drop, idleMs).unref())
    },
    async close() {
      closed = true
      const all = [...idle]
      idle.clear()
      for (const [, timer] of all) clearTimeout(timer)
      await Promise.allSettled(all.map(([connection]) => end(connection)))
    },
  }
}
