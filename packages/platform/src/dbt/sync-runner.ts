import { CodedError } from '@hedron/contract'
import { auditLog, type Store, syncJobs } from '@hedron/store'
import type { ObjectStore } from '../branches/object-store.ts'
import type { ReadVariables } from '../deployments/variables.ts'
import { type Effects, randomId } from '../effects.ts'
import { commitCubes } from './commit-cubes.ts'
import { type Conversion, convertProject } from './convert.ts'
import { type DbtSettings, fetchProject, SyncFailure } from './fetch-project.ts'
import { readOptions, type SyncOptions } from './options.ts'
import type { DbtProject } from './read-manifest.ts'
import { readRepository } from './repository.ts'
import { createSyncRun, LostJob, type SyncRun } from './sync-run.ts'

interface RunnerNeeds {
  readonly store: Store
  readonly effects: Effects
  readonly objects: ObjectStore
  readonly readVariables: ReadVariables
  readonly dbt: DbtSettings
  readonly wakeBuilds: () => void
  /** Branches of the deployment have changed. */
  readonly onChanged: (deploymentId: number) => void
  readonly report: (error: unknown) => void
}

/** Works on syncs one after the other; every node of an installation may. */
export interface SyncRunner {
  /** A job is there: begins soon. */
  notify(): void
  start(): void
  /** Takes no more jobs, stops the one at hand and gives it back. */
  close(): Promise<void>
}

/** How long a node that works on a job may be taken for alive, and how often it says that it is. */
const leaseMs = 20_000
const beatMs = 5_000
const pollMs = 5_000
/** A job that ended its node so often is not tried again. */
const mostAttempts = 3
/** How long files without a branch are kept. */
const filesMs = 3_600_000

export function createSyncRunner(needs: RunnerNeeds): SyncRunner {
  const { store, effects, report } = needs
  const closing = new AbortController()
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  function notify(): void {
    if (closing.signal.aborted || running !== undefined) return
    running = drain()
      .catch(report)
      .finally(() => {
        running = undefined
      })
  }

  async function drain(): Promise<void> {
    await syncJobs.dropSyncFiles(store.kysely, new Date(effects.now().getTime() - filesMs))
    while (!closing.signal.aborted) {
      const lease = randomId(effects)
      const now = effects.now()
      const leaseUntil = new Date(now.getTime() + leaseMs)
      const job = await syncJobs.claimSyncJob(store.kysely, { lease, now, leaseUntil })
      if (!job) return
      await work(job, lease)
    }
  }

  async function work(job: syncJobs.SyncJobRow, lease: string): Promise<void> {
    const ending = new AbortController()
    const stop = () => ending.abort(new LostJob())
    closing.signal.addEventListener('abort', stop, { once: true })
    // Whoever cancels it is noticed by the next beat at the latest.
    const beat = setInterval(() => {
      const leaseUntil = new Date(effects.now().getTime() + leaseMs)
      syncJobs.updateSyncJob(store.kysely, job.id, lease, { leaseUntil }).then(isOurs => {
        if (!isOurs) stop()
      }, report)
    }, beatMs)
    const run = createSyncRun({ store, effects, job, lease, signal: ending.signal })
    try {
      if (job.attempts > mostAttempts)
        throw new SyncFailure('The sync was tried three times, and the server stopped each time.')
      await sync(run)
    } catch (error) {
      if (closing.signal.aborted) await syncJobs.releaseSyncJob(store.kysely, job.id, lease)
      else if (!(error instanceof LostJob) && !ending.signal.aborted) await fail(run, error)
    } finally {
      clearInterval(beat)
      closing.signal.removeEventListener('abort', stop)
    }
  }

  async function sync(run: SyncRun): Promise<void> {
    const { job } = run
    const variables = await needs.readVariables(store.kysely, job.accountId, job.deploymentId)
    const options = readOptions(variables)
    const project = await projectOf(run, variables)
    const conversion = await run.phase('convert', async () => convertProject(project, options))
    for (const note of conversion.notes) await run.note(note)
    await run.stage('WRITING_CUBE_FILES', `Writing ${conversion.files.length} cube(s)`)
    await complete(run, project, conversion, options)
  }

  async function projectOf(run: SyncRun, variables: Readonly<Record<string, string>>): Promise<DbtProject> {
    const { job } = run
    if (job.source === 'manifest') {
      await run.stage('PROCESSING_MANIFEST', 'Reading the manifest that was sent')
      // It was read of the manifest when the job was made, by `readManifest`.
      return job.project as unknown as DbtProject
    }
    const repository = readRepository(variables)
    if (repository === null) throw new CodedError('dbt_repository_missing', {})
    return fetchProject(run, { repository, ref: job.gitRef, variables, dbt: needs.dbt })
  }

  /** Commits the cubes and ends the job in one transaction: a sync that is cancelled meanwhile writes nothing. */
  async function complete(
    run: SyncRun,
    project: DbtProject,
    conversion: Conversion,
    { outputPath }: SyncOptions,
  ): Promise<void> {
    const { job, lease } = run
    await run.stage('FINALIZING', job.output === 'files' ? 'Keeping the files' : `Committing to ${job.branchName}`)
    const at = effects.now()
    await store.transaction(async transaction => {
      const isOurs = await syncJobs.updateSyncJob(transaction, job.id, lease, {
        ...ended(run, at),
        stage: 'COMPLETED',
        status: 'COMPLETED',
        message: null,
        stats: JSON.stringify({
          cubeCount: conversion.files.length,
          generatedFileCount: conversion.files.length,
          ...project.stats,
          dbtVersion: project.dbtVersion,
          manifestGeneratedAt: project.generatedAt,
        }),
        files: JSON.stringify(
          job.output === 'files' ? conversion.files : conversion.files.map(({ path }) => ({ path })),
        ),
      })
      if (!isOurs) throw new LostJob()
      if (job.output === 'branch') await commitCubes(transaction, needs.objects, { job, conversion, outputPath, at })
      await auditLog.insertAudit(transaction, {
        accountId: job.accountId,
        at,
        actor: job.actor,
        action: 'dbt-sync.complete',
        target: `dbt-sync ${job.id} of deployment ${job.deploymentId}`,
        address: null,
        requestId: job.id,
        details: JSON.stringify({ branch: job.branchName, cubes: conversion.files.length }),
      })
    })
    needs.wakeBuilds()
    needs.onChanged(job.deploymentId)
  }

  async function fail(run: SyncRun, error: unknown): Promise<void> {
    const isTheirs = error instanceof SyncFailure || error instanceof CodedError
    if (!isTheirs) report(error)
    const reason = isTheirs ? error.message : 'The sync failed on the server, which has logged why.'
    const at = effects.now()
    await syncJobs.updateSyncJob(store.kysely, run.job.id, run.lease, {
      ...ended(run, at, reason),
      status: 'FAILED',
      error: reason,
      failedPhase: run.failedPhase,
    })
  }

  function ended(run: SyncRun, at: Date, problem?: string) {
    const line = {
      timestamp: at.toISOString(),
      level: problem === undefined ? 'info' : 'error',
      stream: 'system',
      message: problem ?? 'Completed',
      phase: null,
      durationMs: Math.max(0, at.getTime() - run.job.createdAt.getTime()),
    }
    return {
      completedAt: at,
      updatedAt: at,
      project: null,
      lease: null,
      leaseUntil: null,
      phases: JSON.stringify(run.phases),
      log: JSON.stringify([...run.log, line]),
    }
  }

  return {
    notify,
    start() {
      timer ??= setInterval(notify, pollMs).unref()
      notify()
    },
    async close() {
      clearInterval(timer)
      closing.abort()
      await running
    },
  }
}
