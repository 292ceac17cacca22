import { type Insertable, sql, type Updateable } from 'kysely'
import type { Executor } from '../executor.ts'
import type { FolderTable } from '../schema-content.ts'
import { containing } from './containing.ts'
import { type Viewer, visibleFolders } from './content-access.ts'

/** Until the transaction ends, nobody else makes, moves or deletes a folder of the deployment. */
export async function lockFolders(executor: Executor, deploymentId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`folders ${deploymentId}`}, 0))`.execute(executor)
}

/** @returns its id; undefined where its parent has a folder of that name already. */
export async function insertFolder(
  executor: Executor,
  values: Insertable<FolderTable>,
): Promise<{ id: number } | undefined> {
  return executor
    .insertInto('folders')
    .values(values)
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
}

/** Callers hold the lock of the deployment's folders, and made sure that the name is free where it goes. */
export async function updateFolder(
  executor: Executor,
  accountId: number,
  id: number,
  changes: Updateable<FolderTable>,
): Promise<void> {
  await executor.updateTable('folders').set(changes).where('accountId', '=', accountId).where('id', '=', id).execute()
}

/** Workbooks and reports in it go to the root of the workspace. */
export async function deleteFolder(executor: Executor, accountId: number, id: number): Promise<void> {
  await executor.deleteFrom('folders').where('accountId', '=', accountId).where('id', '=', id).execute()
}

/** Whether another folder of that name is in the same place. */
export async function isNameTaken(
  executor: Executor,
  place: { deploymentId: number; embedTenantId: number | null; parentId: number | null },
  name: string,
  exceptId: number,
): Promise<boolean> {
  const row = await executor
    .selectFrom('folders')
    .select('id')
    .where('deploymentId', '=', place.deploymentId)
    .where('embedTenantId', 'is not distinct from', place.embedTenantId)
    .where('parentId', 'is not distinct from', place.parentId)
    .where('name', '=', name)
    .where('id', '!=', exceptId)
    .executeTakeFirst()
  return row !== undefined
}

export async function hasFolders(executor: Executor, accountId: number, id: number): Promise<boolean> {
  const row = await executor
    .selectFrom('folders')
    .select('id')
    .where('accountId', '=', accountId)
    .where('parentId', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

const folderColumns = (executor: Executor) =>
  executor
    .selectFrom('folders')
    .leftJoin('users', join =>
      join.onRef('users.id', '=', 'folders.userId').onRef('users.accountId', '=', 'folders.accountId'),
    )
    .selectAll('folders')
    .select([
      'users.email as ownerEmail',
      'users.firstName as ownerFirstName',
      'users.picture as ownerPicture',
      sql<string>`lower(folders.name)`.as('sortName'),
    ])

/** A folder with its owner. */
export type FolderRow = Awaited<ReturnType<typeof findFolders>>[number]

/** Folders of the account, in no order. Who may see them is for callers to have asked. */
export async function findFolders(executor: Executor, accountId: number, ids: readonly number[]) {
  return folderColumns(executor)
    .where('folders.accountId', '=', accountId)
    .where('folders.id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute()
}

/** Where a list of folders goes on: the place of a folder in the order of position, name and id. */
export type FolderPlace = readonly [position: number, sortName: string, id: number]

export interface FolderWindow {
  /** Folders directly in this one; null: at the root; undefined: anywhere. */
  readonly parentId: number | null | undefined
  /** Part of a name, whatever its case. */
  readonly search?: string | undefined
  readonly after: FolderPlace | undefined
  readonly limit: number
}

/** Folders that the viewer may see, in the order of position, name and id. */
export async function listFolders(executor: Executor, viewer: Viewer, window: FolderWindow): Promise<FolderRow[]> {
  const { parentId, search, after } = window
  return folderColumns(executor)
    .where(visibleFolders(viewer))
    .$if(parentId !== undefined, query => query.where('folders.parentId', 'is not distinct from', parentId ?? null))
    .$if(search !== undefined, query => query.where('folders.name', 'ilike', containing(search ?? '')))
    .$if(after !== undefined, query =>
      query.where(
        sql<boolean>`(folders.position, lower(folders.name), folders.id)
          > (${after?.[0]}::int, ${after?.[1]}::text, ${after?.[2]}::bigint)`,
      ),
    )
    .orderBy('folders.position')
    .orderBy('sortName')
    .orderBy('folders.id')
    .limit(window.limit)
    .execute()
}

/** How many folders directly in this one, or at the root, the viewer may see. */
export async function countFolders(executor: Executor, viewer: Viewer, parentId: number | null): Promise<number> {
  const { count } = await executor
    .selectFrom('folders')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(visibleFolders(viewer))
    .where('parentId', 'is not distinct from', parentId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** How many levels of folders begin with this one: 1 where it has none in it. */
export async function heightOf(executor: Executor, accountId: number, id: number): Promise<number> {
  const { rows } = await sql<{ height: number }>`
    with recursive below(id, level) as (
      select id, 1 from folders where account_id = ${accountId} and id = ${id}
      union all
      select f.id, below.level + 1 from below join folders f on f.parent_id = below.id
    )
    select coalesce(max(level), 0) as height from below`.execute(executor)
  return rows[0]?.height ?? 0
}
