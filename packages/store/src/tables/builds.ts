import { type Selectable, sql } from 'kysely'
import type { Executor } from '../executor.ts'
import { toBytes, toHex } from '../object-id.ts'
import type { BuildTable } from '../schema.ts'

/** A build, its git ids in hexadecimal. */
export type BuildRow = Omit<Selectable<BuildTable>, 'tree' | 'commit'> & { tree: string; commit: string }

export interface NewBuild {
  readonly accountId: number
  readonly deploymentId: number
  readonly branchId: number
  readonly tree: string
  readonly commit: string
}

/** Queues a build. Earlier ones of the branch that nobody has begun are cancelled: this one has what they have. */
export async function insertBuild(executor: Executor, { tree, commit, ...rest }: NewBuild): Promise<number> {
  await executor
    .updateTable('builds')
    .set({ status: 'cancelled', finishedAt: sql<Date>`now()` })
    .where('accountId', '=', rest.accountId)
    .where('branchId', '=', rest.branchId)
    .where('status', '=', 'queued')
    .execute()
  const { id } = await executor
    .insertInto('builds')
    .values({ ...rest, tree: toBytes(tree), commit: toBytes(commit), status: 'queued' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function findNewestBuild(
  executor: Executor,
  accountId: number,
  branchId: number,
): Promise<BuildRow | undefined> {
  const row = await executor
    .selectFrom('builds')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('branchId', '=', branchId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && readRow(row)
}

/** The newest builds of a deployment, newest first, with the names of their branches; those of branches that are gone are gone. */
export async function listNewestBuilds(
  executor: Executor,
  accountId: number,
  deploymentId: number,
  limit: number,
): Promise<readonly (BuildRow & { readonly branchName: string })[]> {
  const rows = await executor
    .selectFrom('builds')
    .innerJoin('branches', join =>
      join.onRef('branches.id', '=', 'builds.branchId').onRef('branches.accountId', '=', 'builds.accountId'),
    )
    .selectAll('builds')
    .select('branches.name as branchName')
    .where('builds.accountId', '=', accountId)
    .where('builds.deploymentId', '=', deploymentId)
    .orderBy('builds.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ branchName, ...row }) => ({ ...readRow(row), branchName }))
}

/**
 * Takes the oldest build that waits, of any account: queued, or begun before `abandonedBefore` by a node that may be gone.
 * Nodes never wait for each other here.
 */
export async function claimBuild(
  executor: Executor,
  { now, abandonedBefore }: { readonly now: Date; readonly abandonedBefore: Date },
): Promise<BuildRow | undefined> {
  const row = await executor
    .updateTable('builds')
    .set({ status: 'building', startedAt: now })
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('builds')
        .select('id')
        .where(({ or, and, eb }) =>
          or([
            eb('status', '=', 'queued'),
            and([eb('status', '=', 'building'), eb('startedAt', '<', abandonedBefore)]),
          ]),
        )
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst()
  return row && readRow(row)
}

/** Puts builds that were begun back into the queue, for a node that has just started: it may be the one that died over them. */
export async function requeueBuilds(executor: Executor): Promise<void> {
  await executor
    .updateTable('builds')
    .set({ status: 'queued', startedAt: null })
    .where('status', '=', 'building')
    .execute()
}

/**
 * Ends a build. One that compiled becomes what its branch serves, unless a later one has already.
 *
 * @param problem why it failed; null: it compiled.
 */
export async function finishBuild(
  executor: Executor,
  { id, accountId, branchId, tree }: BuildRow,
  { at, problem }: { readonly at: Date; readonly problem: string | null },
): Promise<void> {
  await executor
    .selectFrom('branches')
    .select('id')
    .where('accountId', '=', accountId)
    .where('id', '=', branchId)
    .forNoKeyUpdate()
    .execute()
  const { numUpdatedRows } = await executor
    .updateTable('builds')
    .set({ status: problem === null ? 'built' : 'failed', errorText: problem, finishedAt: at })
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'building'])
    .executeTakeFirst()
  if (problem !== null || numUpdatedRows === 0n) return
  await executor
    .updateTable('branches')
    .set({ servingTree: toBytes(tree) })
    .where('accountId', '=', accountId)
    .where('id', '=', branchId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('builds')
            .select('builds.id')
            .where('builds.accountId', '=', accountId)
            .where('builds.branchId', '=', branchId)
            .where('builds.id', '>', id)
            .where('builds.status', '=', 'built'),
        ),
      ),
    )
    .execute()
}

const readRow = (row: Selectable<BuildTable>): BuildRow => ({
  ...row,
  tree: toHex(row.tree),
  commit: toHex(row.commit),
})
