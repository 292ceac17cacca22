import type { DbtSyncRun } from '@hedron/contract'
import type { syncJobs } from '@hedron/store'
import { isStage, stagePercent } from './stages.ts'

type Ended = Pick<syncJobs.SyncJobRow, 'createdAt' | 'completedAt'>

/** How long a run took, by one clock, in milliseconds; null while it goes on. */
export const durationOf = ({ createdAt, completedAt }: Ended): number | null =>
  completedAt === null ? null : Math.max(0, completedAt.getTime() - createdAt.getTime())

/** A run as the history lists it. */
export function showRun(row: syncJobs.SyncJobListed): DbtSyncRun {
  return {
    syncJobId: row.id,
    deploymentId: row.deploymentId,
    status: row.status,
    trigger: row.trigger,
    source: row.source,
    branchName: row.branchName,
    gitRef: row.gitRef,
    startedAt: row.createdAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
    durationMs: durationOf(row),
    errorMessage: row.status === 'RUNNING' ? null : row.error,
    failedPhase: row.failedPhase,
    lastStage: row.stage,
    phases: row.completedAt === null ? null : row.phases,
    stats: row.stats,
    triggerContext: null,
    userId: row.userId,
  }
}

/** A run as clients wait for it: they know two ends, so one that was cancelled is a failure with its reason. */
export function showStatus(job: syncJobs.SyncJobRow) {
  const hasFailed = job.status === 'FAILED' || job.status === 'CANCELLED'
  const status = hasFailed ? 'FAILED' : job.status === 'COMPLETED' ? 'COMPLETED' : job.stage
  const percentComplete = isStage(job.stage) ? stagePercent[job.stage] : 0
  return {
    syncJobId: job.id,
    status,
    progress: { stage: job.stage, percentComplete, message: job.message },
    error: hasFailed ? job.error : null,
    updatedAt: job.updatedAt.toISOString(),
  }
}
