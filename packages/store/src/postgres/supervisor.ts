import { setTimeout as sleep } from 'node:timers/promises'
import { reasonOf } from '../store-error.ts'
import type { StoreLog } from '../store-log.ts'
import type { Server } from './server.ts'

export interface Supervisor {
  /** Stops the server for good. Can be called more than once, and while the server is being started again. */
  stop(): Promise<void>
}

const firstPause = 100
const longestPause = 10_000
/** A server that ran this long before it ended has earned a quick start again. */
const steadyMilliseconds = 60_000

/** Keeps a server running: one that ends by itself is started again, after pauses that grow to ten seconds. */
export function supervise(
  first: Server,
  start: (signal: AbortSignal) => Promise<Server>,
  { log, now }: { log: StoreLog; now: () => number },
): Supervisor {
  const stopping = new AbortController()
  let server: Server | undefined = first
  let pause = firstPause

  // A process that ends without stop() does not leave its server behind, if it can help it.
  const onExit = () => {
    if (server !== undefined && process.platform !== 'win32') tryInterrupt(server.pid)
  }
  process.on('exit', onExit)

  async function keepRunning(): Promise<void> {
    while (server !== undefined) {
      const startedAt = now()
      const reason = await server.exited
      server = undefined
      if (stopping.signal.aborted) return
      log('error', `The embedded PostgreSQL is gone: ${reason}. Starting it again.`)
      if (now() - startedAt > steadyMilliseconds) pause = firstPause
      server = await startAgain()
    }
  }

  async function startAgain(): Promise<Server | undefined> {
    while (!stopping.signal.aborted) {
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {})
      pause = Math.min(pause * 2, longestPause)
      if (stopping.signal.aborted) return undefined
      try {
        const started = await start(stopping.signal)
        log('info', `The embedded PostgreSQL runs again, process ${started.pid}`)
        if (stopping.signal.aborted) await started.stop()
        return started
      } catch (error) {
        if (!stopping.signal.aborted) log('error', `${reasonOf(error)}\nTrying again in ${pause / 1_000} seconds.`)
      }
    }
    return undefined
  }

  const finished = keepRunning()
  finished.catch(error => log('error', `The embedded PostgreSQL is no longer supervised: ${reasonOf(error)}`))
  return {
    async stop() {
      stopping.abort()
      await server?.stop()
      await finished
      process.off('exit', onExit)
    },
  }
}

function tryInterrupt(pid: number): void {
  try {
    process.kill(pid, 'SIGINT')
  } catch {
    // it is gone
  }
}
