import { type Store, syncJobs } from '@hedron/store'
import type { Effects } from '../effects.ts'
import type { Stage } from './stages.ts'

/** The job is not this node's any more: it was cancelled, or another node has taken it. */
export class LostJob extends Error {}

type LogEntry = syncJobs.SyncJobRow['log'][number]
type Phase = syncJobs.SyncJobRow['phases'][number]

/** One try at a job: what it says while it goes on. */
export interface SyncRun {
  readonly job: syncJobs.SyncJobRow
  readonly lease: string
  readonly signal: AbortSignal
  readonly phases: readonly Phase[]
  readonly log: readonly LogEntry[]
  /** The phase that failed; null: none did. */
  readonly failedPhase: string | null
  stage(stage: Stage, message: string): Promise<void>
  /** Adds a line to the log. */
  note(message: string, level?: 'info' | 'error'): Promise<void>
  /** Does a part of the work and keeps how long it took. */
  phase<T>(name: string, work: () => Promise<T>): Promise<T>
}

interface RunNeeds {
  readonly store: Store
  readonly effects: Effects
  readonly job: syncJobs.SyncJobRow
  readonly lease: string
  readonly signal: AbortSignal
}

/** Lines of a log, so that a project with thousands of notes makes no row that nothing can read. */
const mostLines = 2_000

export function createSyncRun({ store, effects, job, lease, signal }: RunNeeds): SyncRun {
  const log: LogEntry[] = [...job.log]
  const phases: Phase[] = []
  let failedPhase: string | null = null

  async function write(values: Parameters<typeof syncJobs.updateSyncJob>[3]): Promise<void> {
    signal.throwIfAborted()
    const isOurs = await syncJobs.updateSyncJob(store.kysely, job.id, lease, {
      ...values,
      log: JSON.stringify(log),
      updatedAt: effects.now(),
    })
    if (!isOurs) throw new LostJob()
  }

  function add(message: string, more: Partial<LogEntry> = {}): void {
    if (log.length >= mostLines) return
    const text = log.length === mostLines - 1 ? 'There is more, which is not kept.' : message
    log.push({
      timestamp: effects.now().toISOString(),
      level: 'info',
      stream: 'system',
      message: text,
      phase: null,
      durationMs: null,
      ...more,
    })
  }

  return {
    job,
    lease,
    signal,
    phases,
    log,
    get failedPhase() {
      return failedPhase
    },
    async stage(stage, message) {
      add(message)
      await write({ stage, message })
    },
    async note(message, level = 'info') {
      add(message, { level })
      await write({})
    },
    async phase(name, work) {
      const startedAt = effects.now().getTime()
      const startedOffsetMs = Math.max(0, startedAt - job.createdAt.getTime())
      const end = (outcome: Phase['outcome']) => {
        const durationMs = Math.max(0, effects.now().getTime() - startedAt)
        phases.push({ phase: name, startedOffsetMs, durationMs, outcome })
        add(outcome === 'ok' ? 'done' : 'failed', {
          phase: name,
          durationMs,
          level: outcome === 'ok' ? 'info' : 'error',
        })
      }
      try {
        const result = await work()
        end('ok')
        return result
      } catch (error) {
        failedPhase = name
        end('failed')
        throw error
      }
    },
  }
}
