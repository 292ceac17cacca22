import type { ColumnType, GeneratedAlways } from 'kysely'
import type { Json } from './column-types.ts'

export type SyncStatus = 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELLED'

export interface StoredSyncPhase {
  phase: string
  startedOffsetMs: number
  durationMs: number
  outcome: 'ok' | 'failed'
}

export interface StoredSyncLogEntry {
  timestamp: string
  level: 'info' | 'error'
  stream: 'system'
  message: string
  phase: string | null
  durationMs: number | null
}

export interface StoredSyncStats {
  cubeCount?: number
  generatedFileCount?: number
  models?: number
  sources?: number
  macros?: number
  dbtVersion?: string | null
  manifestGeneratedAt?: string | null
}

/** A run of the transformation sync. */
export interface SyncJobTable {
  /** Order of the history. */
  ordinal: GeneratedAlways<number>
  id: string
  accountId: number
  deploymentId: number
  /** Who started it; kept when the user is gone. */
  userId: number | null
  actor: string
  authorName: string
  authorEmail: string
  trigger: string
  source: 'git' | 'manifest'
  output: 'branch' | 'files'
  /** Empty where the output are files. */
  branchName: string
  gitRef: string | null
  /** What was read of an uploaded manifest; null once the run is over. */
  project: ColumnType<Json | null, string | null, string | null>
  status: SyncStatus
  stage: string
  message: string | null
  error: string | null
  failedPhase: string | null
  phases: ColumnType<StoredSyncPhase[], string | undefined, string>
  log: ColumnType<StoredSyncLogEntry[], string | undefined, string>
  stats: ColumnType<StoredSyncStats | null, string | null | undefined, string | null>
  /** Paths, with contents while they are kept. */
  files: ColumnType<{ path: string; content?: string }[] | null, string | null | undefined, string | null>
  createdAt: Date
  updatedAt: Date
  completedAt: Date | null
  /** Token of the node that works on it. */
  lease: string | null
  leaseUntil: Date | null
  attempts: ColumnType<number, number | undefined, number>
}
