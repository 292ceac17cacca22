import * as z from 'zod'
import { Id, Timestamp } from './common.ts'
import { listOf, PageQuery } from './page.ts'

export const DbtSyncParams = z.strictObject({ deploymentId: Id, syncJobId: z.string().min(1).max(64) })

export const StartDbtSyncInput = z
  .strictObject({
    branchName: z
      .string()
      .nullish()
      .meta({ description: 'Branch to write the cubes on; a new one named after the ref when omitted.' }),
    ref: z.string().nullish().meta({
      description: 'Branch or tag of the dbt repository, for this sync alone; not a commit SHA.',
    }),
    source: z
      .enum(['git', 'manifest'])
      .meta({ id: 'StartDbtSyncInputSource' })
      .nullish()
      .meta({ description: 'git, the default: the dbt repository. manifest: the document given.' }),
    manifest: z
      .record(z.string(), z.unknown())
      .nullish()
      .meta({ description: 'Content of target/manifest.json; with source manifest, and only with it.' }),
    output: z
      .enum(['branch', 'files'])
      .meta({ id: 'StartDbtSyncInputOutput' })
      .nullish()
      .meta({ description: 'branch, the default: commit the cubes. files: only make them, to be read for an hour.' }),
  })
  .meta({ id: 'StartDbtSyncInput' })
export type StartDbtSyncInput = z.infer<typeof StartDbtSyncInput>

export const DbtSyncResponse = z
  .object({
    syncJobId: z.string(),
    workflowId: z.string(),
    branchName: z.string().meta({ description: 'Empty where the output are files.' }),
  })
  .meta({ id: 'DbtSyncResponse' })

export const DbtSyncRunsQuery = PageQuery.extend({
  status: z
    .enum(['RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'UNKNOWN'])
    .meta({ id: 'DbtSyncRunsQueryStatus' })
    .nullish(),
  trigger: z.enum(['manual', 'api', 'webhook', 'agent', 'unknown']).meta({ id: 'DbtSyncRunsQueryTrigger' }).nullish(),
})

const Optional = {
  text: z.string().nullable().optional(),
  count: z.int().nullable().optional(),
}

export const DbtSyncRun = z
  .object({
    syncJobId: z.string(),
    deploymentId: Id,
    status: z.string(),
    trigger: z.string(),
    source: z.string(),
    branchName: z.string(),
    gitRef: Optional.text,
    startedAt: Timestamp,
    completedAt: Timestamp.nullable().optional(),
    durationMs: Optional.count,
    errorMessage: Optional.text,
    failedPhase: Optional.text,
    lastStage: Optional.text,
    phases: z
      .array(
        z
          .object({ phase: z.string(), startedOffsetMs: z.int(), durationMs: z.int(), outcome: z.string() })
          .meta({ id: 'DbtSyncRunPhase' }),
      )
      .nullable()
      .optional(),
    stats: z
      .object({
        cubeCount: Optional.count,
        generatedFileCount: Optional.count,
        models: Optional.count,
        sources: Optional.count,
        macros: Optional.count,
        dbtVersion: Optional.text,
        manifestGeneratedAt: Optional.text,
      })
      .meta({ id: 'DbtSyncRunStats' })
      .nullable()
      .optional(),
    triggerContext: z
      .object({ pushedBranch: Optional.text, targetBranch: Optional.text, headSha: Optional.text })
      .meta({ id: 'DbtSyncRunTriggerContext' })
      .nullable()
      .optional(),
    userId: Optional.count,
  })
  .meta({ id: 'DbtSyncRun' })
export type DbtSyncRun = z.infer<typeof DbtSyncRun>

export const DbtSyncRunListResponse = listOf(DbtSyncRun).meta({ id: 'DbtSyncRunListResponse' })

export const DbtSyncStatusResponse = z
  .object({
    syncJobId: z.string(),
    status: z.string().meta({ description: 'A stage while it runs; COMPLETED or FAILED when it has ended.' }),
    progress: z
      .object({ stage: z.string(), percentComplete: z.int(), message: z.string().nullable().optional() })
      .meta({ id: 'DbtSyncProgress' }),
    error: Optional.text,
    updatedAt: Timestamp,
  })
  .meta({ id: 'DbtSyncStatusResponse' })

export const DbtSyncResultResponse = z
  .object({
    syncJobId: z.string(),
    generatedFiles: z.array(z.object({ path: z.string() }).meta({ id: 'DbtSyncGeneratedFile' })),
    manifestStats: z
      .object({ models: z.int(), sources: z.int(), macros: z.int() })
      .meta({ id: 'DbtSyncManifestStats' }),
    cubeCount: z.int(),
    completedAt: Timestamp,
    durationMs: z.int(),
  })
  .meta({ id: 'DbtSyncResultResponse' })

export const DbtSyncLogEntry = z
  .object({
    timestamp: Timestamp,
    level: z.string(),
    stream: z.string(),
    message: z.string(),
    phase: Optional.text,
    durationMs: Optional.count,
  })
  .meta({ id: 'DbtSyncLogEntry' })
export const DbtSyncLogEntriesListResponse = listOf(DbtSyncLogEntry).meta({ id: 'DbtSyncLogEntriesListResponse' })

export const DbtGeneratedFileContent = z
  .object({ path: z.string(), content: z.string() })
  .meta({ id: 'DbtGeneratedFileContent' })
export const DbtSyncGeneratedFilesListResponse = listOf(DbtGeneratedFileContent).meta({
  id: 'DbtSyncGeneratedFilesListResponse',
})

export const DbtSyncFilesQuery = z.strictObject({
  first: z.int().min(1).nullish(),
  after: z.string().max(1024).nullish(),
})

export const DbtSyncCancelResponse = z.object({ message: z.string() }).meta({ id: 'DbtSyncCancelResponse' })
