import { type Insertable, type Selectable, sql } from 'kysely'
import type { Executor } from '../executor.ts'
import { toBytes, toHex } from '../object-id.ts'
import type { UploadTable } from '../schema.ts'

export type UploadRow = Omit<Selectable<UploadTable>, 'tree'>

export interface StoredUploadFile {
  readonly path: string
  /** Git id of the content. */
  readonly blob: string
  readonly size: number
}

export async function insertUpload(
  executor: Executor,
  values: Omit<Insertable<UploadTable>, 'tree' | 'finishedAt'>,
): Promise<void> {
  await executor.insertInto('uploads').values(values).execute()
}

/**
 * A transaction of the credential.
 *
 * @param lock `share` keeps it from being finished meanwhile, `update` also from taking files.
 */
export async function findUpload(
  executor: Executor,
  accountId: number,
  key: { readonly deploymentId: number; readonly credential: string; readonly id: string },
  lock: 'share' | 'update',
): Promise<UploadRow | undefined> {
  return executor
    .selectFrom('uploads')
    .select(['id', 'accountId', 'deploymentId', 'branchId', 'credential', 'usesProjectRoot', 'createdAt', 'finishedAt'])
    .where('accountId', '=', accountId)
    .where('deploymentId', '=', key.deploymentId)
    .where('credential', '=', key.credential)
    .where('id', '=', key.id)
    .$if(lock === 'share', query => query.forShare())
    .$if(lock === 'update', query => query.forUpdate())
    .executeTakeFirst()
}

/** Notes files of an open transaction; one that is there already is replaced. @returns how many it then has. */
export async function putUploadFiles(
  executor: Executor,
  accountId: number,
  uploadId: string,
  files: readonly StoredUploadFile[],
): Promise<number> {
  const sorted = [...files].sort((left, right) => (left.path < right.path ? -1 : 1))
  await sql`
    insert into upload_files (account_id, upload_id, path, blob, size)
    select ${accountId}::bigint, ${uploadId}, path, decode(blob, 'hex'), size
    from unnest(
      ${sorted.map(file => file.path)}::text[],
      ${sorted.map(file => file.blob)}::text[],
      ${sorted.map(file => file.size)}::bigint[]
    ) as file (path, blob, size)
    on conflict (upload_id, path) do update set blob = excluded.blob, size = excluded.size`.execute(executor)
  const { count } = await executor
    .selectFrom('uploadFiles')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .where('uploadId', '=', uploadId)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Gives a new transaction the files of the last one of its credential and branch, where that was not finished nor followed by one that
 * was: a connection that was cut, or a program that was stopped.
 */
export async function takeUnfinishedFiles(
  executor: Executor,
  { id, accountId, deploymentId, branchId, credential, usesProjectRoot }: Omit<UploadRow, 'createdAt' | 'finishedAt'>,
): Promise<StoredUploadFile[]> {
  const last = await executor
    .selectFrom('uploads')
    .select(['id', 'usesProjectRoot', 'finishedAt'])
    .where('accountId', '=', accountId)
    .where('deploymentId', '=', deploymentId)
    .where('branchId', '=', branchId)
    .where('credential', '=', credential)
    .where('id', '!=', id)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last === undefined || last.finishedAt !== null || last.usesProjectRoot !== usesProjectRoot) return []
  const files = await listUploadFiles(executor, accountId, last.id)
  if (files.length > 0) await putUploadFiles(executor, accountId, id, files)
  return files
}

export async function listUploadFiles(
  executor: Executor,
  accountId: number,
  uploadId: string,
): Promise<StoredUploadFile[]> {
  const rows = await executor
    .selectFrom('uploadFiles')
    .select(['path', 'blob', 'size'])
    .where('accountId', '=', accountId)
    .where('uploadId', '=', uploadId)
    .execute()
  return rows.map(row => ({ ...row, blob: toHex(row.blob) }))
}

/** Closes a transaction. Its files are forgotten, the tree that it made is kept. */
export async function finishUpload(
  executor: Executor,
  accountId: number,
  id: string,
  result: { readonly at: Date; readonly tree: string },
): Promise<void> {
  await executor.deleteFrom('uploadFiles').where('accountId', '=', accountId).where('uploadId', '=', id).execute()
  await executor
    .updateTable('uploads')
    .set({ finishedAt: result.at, tree: toBytes(result.tree) })
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .execute()
}

/** The tree that the last finished upload gave a branch; undefined where there was none. */
export async function findLastUploadedTree(
  executor: Executor,
  accountId: number,
  branchId: number,
): Promise<string | undefined> {
  const row = await executor
    .selectFrom('uploads')
    .select('tree')
    .where('accountId', '=', accountId)
    .where('branchId', '=', branchId)
    .where('finishedAt', 'is not', null)
    .orderBy('finishedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.tree ? toHex(row.tree) : undefined
}

/** Removes uploads of the deployment begun before `before`: those never finished, and finished ones that a later one followed. */
export async function deleteOldUploads(
  executor: Executor,
  accountId: number,
  deploymentId: number,
  before: Date,
): Promise<void> {
  await executor
    .deleteFrom('uploads')
    .where('accountId', '=', accountId)
    .where('deploymentId', '=', deploymentId)
    .where('createdAt', '<', before)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('finishedAt', 'is', null),
        exists(
          selectFrom('uploads as later')
            .select('later.id')
            .whereRef('later.accountId', '=', 'uploads.accountId')
            .whereRef('later.branchId', '=', 'uploads.branchId')
            .whereRef('later.finishedAt', '>', 'uploads.finishedAt'),
        ),
      ]),
    )
    .execute()
}
