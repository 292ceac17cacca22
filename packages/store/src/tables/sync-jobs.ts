import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Executor } from '../executor.ts'
import type { SyncJobTable, SyncStatus } from '../schema-sync.ts'

export type SyncJobRow = Selectable<SyncJobTable>

export async function insertSyncJob(executor: Executor, values: Insertable<SyncJobTable>): Promise<void> {
  await executor.insertInto('syncJobs').values(values).execute()
}

export async function findSyncJob(
  executor: Executor,
  accountId: number,
  deploymentId: number,
  id: string,
): Promise<SyncJobRow | undefined> {
  return executor
    .selectFrom('syncJobs')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('deploymentId', '=', deploymentId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Columns of the history, which holds no contents. */
const listed = [
  'ordinal',
  'id',
  'deploymentId',
  'userId',
  'trigger',
  'source',
  'branchName',
  'gitRef',
  'status',
  'stage',
  'error',
  'failedPhase',
  'phases',
  'stats',
  'createdAt',
  'completedAt',
] as const
export type SyncJobListed = Pick<SyncJobRow, (typeof listed)[number]>

/** Runs of a deployment, newest first, before the ordinal `after`. */
export async function listSyncJobs(
  executor: Executor,
  accountId: number,
  deploymentId: number,
  options: {
    readonly status: SyncStatus | undefined
    readonly trigger: string | undefined
    readonly after: number | undefined
    readonly limit: number
  },
): Promise<SyncJobListed[]> {
  const { status, trigger, after, limit } = options
  return executor
    .selectFrom('syncJobs')
    .select([...listed])
    .where('accountId', '=', accountId)
    .where('deploymentId', '=', deploymentId)
    .$if(status !== undefined, query => query.where('status', '=', status ?? 'RUNNING'))
    .$if(trigger !== undefined, query => query.where('trigger', '=', trigger ?? ''))
    .$if(after !== undefined, query => query.where('ordinal', '<', after ?? 0))
    .orderBy('ordinal', 'desc')
    .limit(limit)
    .execute()
}

/**
 * Takes the oldest job that nobody works on, of any account: new, or left by a node whose lease is over. Nodes never wait for each other
 * here.
 */
export async function claimSyncJob(
  executor: Executor,
  { lease, now, leaseUntil }: { readonly lease: string; readonly now: Date; readonly leaseUntil: Date },
): Promise<SyncJobRow | undefined> {
  return executor
    .updateTable('syncJobs')
    .set(({ eb }) => ({ lease, leaseUntil, attempts: eb('attempts', '+', 1) }))
    .where('ordinal', '=', ({ selectFrom }) =>
      selectFrom('syncJobs')
        .select('ordinal')
        .where('status', '=', 'RUNNING')
        .where(({ or, eb }) => or([eb('leaseUntil', 'is', null), eb('leaseUntil', '<', now)]))
        .orderBy('ordinal')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst()
}

/** Gives a job back, so that any node goes on with it. */
export async function releaseSyncJob(executor: Executor, id: string, lease: string): Promise<void> {
  await executor
    .updateTable('syncJobs')
    .set({ lease: null, leaseUntil: null })
    .where('id', '=', id)
    .where('lease', '=', lease)
    .where('status', '=', 'RUNNING')
    .execute()
}

/** Changes a job that runs, by whom it was taken. @returns false where it was cancelled, or taken by another. */
export async function updateSyncJob(
  executor: Executor,
  id: string,
  lease: string,
  values: Updateable<SyncJobTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await executor
    .updateTable('syncJobs')
    .set(values)
    .where('id', '=', id)
    .where('lease', '=', lease)
    .where('status', '=', 'RUNNING')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** @returns false where it does not run any more. */
export async function cancelSyncJob(
  executor: Executor,
  accountId: number,
  deploymentId: number,
  id: string,
  { at, error }: { readonly at: Date; readonly error: string },
): Promise<boolean> {
  const { numUpdatedRows } = await executor
    .updateTable('syncJobs')
    .set({
      status: 'CANCELLED',
      error,
      completedAt: at,
      updatedAt: at,
      project: null,
      lease: null,
      leaseUntil: null,
      log: sql<string>`log || ${JSON.stringify([
        {
          timestamp: at.toISOString(),
          level: 'error',
          stream: 'system',
          message: error,
          phase: null,
          durationMs: null,
        },
      ])}::jsonb`,
    })
    .where('accountId', '=', accountId)
    .where('deploymentId', '=', deploymentId)
    .where('id', '=', id)
    .where('status', '=', 'RUNNING')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Forgets files that were made without a branch, of runs that ended before. */
export async function dropSyncFiles(executor: Executor, endedBefore: Date): Promise<void> {
  await executor
    .updateTable('syncJobs')
    .set({
      files: sql<string>`(select coalesce(jsonb_agg(jsonb_build_object('path', file -> 'path')), '[]') from jsonb_array_elements(files) file)`,
    })
    .where('output', '=', 'files')
    .where('files', 'is not', null)
    .where('completedAt', '<', endedBefore)
    .where(sql<boolean>`files @? '$[*].content'`)
    .execute()
}
