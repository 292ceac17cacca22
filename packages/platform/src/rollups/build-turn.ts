import { type DataSource, QueryServiceError } from '@hedron/query'
import type { RollupDefinition } from './definition.ts'
import type { RefreshRollup } from './refresh-rollup.ts'
import { detach, type RollupState } from './rollup-state.ts'

/** One look at a rollup: what is missing or old of it is built, and what went wrong is remembered. */
export interface BuildTurn {
  /** Never rejects. */
  take(state: RollupState): Promise<void>
  /** Ends the turn of a rollup, or the wait for it: it is looked at again after a while, or when somebody wants it built. */
  cancel(state: RollupState): void
}

interface TurnNeeds {
  readonly sourceOf: (deploymentId: number, name: string) => Promise<DataSource | undefined>
  readonly refresh: RefreshRollup
  /** Told of rollups whose rows a build read that failed: it may be their files that can't be read. */
  readonly distrust: (definition: RollupDefinition) => void
  readonly report: (error: unknown) => void
  /** The server is shutting down. */
  readonly signal: AbortSignal
  readonly now: () => number
}

const firstRetryMs = 5_000
const longestRetryMs = 10 * 60_000
const cancelled = 'Its build was cancelled. Build it again.'

export function createBuildTurn({ sourceOf, refresh, distrust, report, signal, now }: TurnNeeds): BuildTurn {
  const running = new Map<RollupState, AbortController>()
  signal.addEventListener('abort', () => {
    for (const own of running.values()) own.abort(signal.reason)
  })

  /** Whether the rows still come from where they are to be read, as those say who can change the variables of the deployment. */
  async function isCurrent({ deploymentId, source }: RollupDefinition): Promise<boolean> {
    try {
      return (await sourceOf(deploymentId, source.name))?.fingerprint === source.fingerprint
    } catch (error) {
      // There is none of that name any more, or its variables say nothing that can be used.
      if (error instanceof QueryServiceError) return false
      throw error
    }
  }

  function fail(state: RollupState, definition: RollupDefinition, error: unknown): void {
    const count = (state.failure?.count ?? 0) + 1
    const wait = Math.min(longestRetryMs, firstRetryMs * 2 ** (count - 1))
    state.failure = { at: now(), message: error instanceof Error ? error.message : String(error), count }
    state.dueAt = now() + wait
    // Stopped because its deployment changed, which is no fault: it is built again from what there is then.
    const isStopped = error instanceof QueryServiceError && error.code === 'query_cancelled'
    if (!isStopped) report(error)
    // It may be the files of the rows that it is built from which can't be read.
    for (const rows of definition.madeOf) distrust(rows)
  }

  /** Nobody waits for what somebody cancelled, and nothing begins it at once again. */
  function leaveAlone(state: RollupState): void {
    state.forced.clear()
    state.failure = { at: now(), message: cancelled, count: 1 }
    state.dueAt = now() + longestRetryMs
    state.generation += 1
  }

  return {
    async take(state) {
      const { definition } = state
      if (!definition || signal.aborted) return
      const own = new AbortController()
      running.set(state, own)
      try {
        if (!(await isCurrent(definition))) return detach(state, now())
        const isDone = await refresh(state, definition, own.signal)
        state.failure = null
        if (!isDone) state.dueAt = now()
      } catch (error) {
        if (signal.aborted) return
        if (own.signal.aborted) leaveAlone(state)
        else fail(state, definition, error)
      } finally {
        running.delete(state)
        state.generation += 1
      }
    },

    cancel(state) {
      const own = running.get(state)
      // What runs is left alone when it has ended.
      if (own) own.abort(new Error(cancelled))
      else leaveAlone(state)
    },
  }
}
