import { isDeepStrictEqual } from 'node:util'
import { CodedError, type WorkbookMeta } from '@hedron/contract'
import { type Executor, workbooks } from '@hedron/store'
import type { CallContext, Caller } from '../../caller.ts'
import type { Viewer } from '../access/content-access.ts'
import { storedMeta } from '../dashboards/draft.ts'
import type { WorkbooksNeed } from './workbook-needs.ts'

const unnamed = 'Untitled workbook'

export interface NewWorkbook {
  readonly name?: string | null | undefined
  readonly folderId?: number | null | undefined
  readonly meta?: WorkbookMeta | null | undefined
  readonly slug: string | null
}

/**
 * Makes a workbook of the caller's in his workspace.
 *
 * @throws {CodedError} `folder_not_found`, `content_level_missing` where the folder is not his to put things into; `slug_taken`.
 */
export async function createIn(
  { effects, audit, access }: WorkbooksNeed,
  transaction: Executor,
  caller: Caller,
  context: CallContext,
  viewer: Viewer,
  { name, folderId, meta, slug }: NewWorkbook,
): Promise<workbooks.WorkbookRow> {
  if (folderId) await access.require(viewer, 'Folder', folderId, 'edit', transaction)
  const at = effects.now()
  const row = await workbooks.insertWorkbook(transaction, {
    accountId: caller.accountId,
    deploymentId: viewer.deploymentId,
    embedTenantId: viewer.embedTenantId,
    folderId: folderId || null,
    name: name ?? unnamed,
    slug,
    meta: JSON.stringify(meta ? storedMeta(meta) : {}),
    userId: caller.userId,
    createdAt: at,
    updatedAt: at,
  })
  if (!row) throw new CodedError('slug_taken', { slug: slug ?? '' })
  await audit(transaction, caller, context, 'workbook.create', `workbook ${row.id}`, { name: row.name })
  return row
}

/** What is to change; what is left out, or null where no null can be stored, stays. */
export interface WorkbookChanges {
  readonly name?: string | null | undefined
  /** All of it; or what to make of what is stored. */
  readonly meta?: Record<string, unknown> | ((stored: Record<string, unknown>) => Record<string, unknown>) | undefined
  /** Null or 0: the root of the workspace. */
  readonly folderId?: number | null | undefined
  readonly slug?: string | null | undefined
  /** Whether to take the slug from another workbook that has it. */
  readonly takesSlug?: boolean
}

/**
 * Changes a workbook; where all is as asked for already, nothing is written.
 *
 * @throws {CodedError} `workbook_not_found`, `folder_not_found`, `content_level_missing`, `slug_taken`.
 */
export async function changeWorkbook(
  need: WorkbooksNeed,
  transaction: Executor,
  caller: Caller,
  context: CallContext,
  viewer: Viewer,
  workbookId: number,
  changes: WorkbookChanges,
): Promise<workbooks.WorkbookRow> {
  const { access, audit, effects } = need
  const { accountId } = caller
  const { folderId } = changes
  // Moving changes who sees it, so that is for those who may share it.
  await access.require(viewer, 'Workbook', workbookId, folderId === undefined ? 'edit' : 'manage', transaction)
  if (folderId) await access.require(viewer, 'Folder', folderId, 'edit', transaction)
  if (changes.slug) await freeSlug(need, transaction, viewer, workbookId, changes.slug, changes.takesSlug === true)
  const row = await workbooks.lockWorkbook(transaction, accountId, viewer.deploymentId, workbookId)
  if (!row) throw new CodedError('workbook_not_found', { workbook: workbookId })
  const wanted = {
    name: changes.name ?? row.name,
    folderId: folderId === undefined ? row.folderId : folderId || null,
    slug: changes.slug === undefined ? row.slug : changes.slug,
    meta: typeof changes.meta === 'function' ? changes.meta(row.meta) : (changes.meta ?? row.meta),
  }
  const stored = { name: row.name, folderId: row.folderId, slug: row.slug, meta: row.meta }
  if (isDeepStrictEqual(wanted, stored)) return row
  const at = effects.now()
  await workbooks.updateWorkbook(transaction, accountId, workbookId, {
    ...wanted,
    meta: JSON.stringify(wanted.meta),
    updatedAt: at,
  })
  await audit(transaction, caller, context, 'workbook.update', `workbook ${workbookId}`, {
    fields: Object.entries(wanted).flatMap(([name, value]) =>
      isDeepStrictEqual(value, Object(stored)[name]) ? [] : [name],
    ),
  })
  return { ...row, ...wanted, updatedAt: at }
}

/** Makes sure that no other workbook of the workspace has the slug, until the transaction ends. */
async function freeSlug(
  { access, effects }: WorkbooksNeed,
  transaction: Executor,
  viewer: Viewer,
  workbookId: number,
  slug: string,
  takesOver: boolean,
): Promise<void> {
  await workbooks.lockSlug(transaction, viewer, slug)
  const holder = await workbooks.findWorkbookIdBySlug(transaction, viewer, slug)
  if (holder === undefined || holder === workbookId) return
  // One that he does not see, or only reads, is not named.
  const level = takesOver ? await access.levelOf(viewer, 'Workbook', holder, transaction) : null
  if (level === null || level === 'read') throw new CodedError('slug_taken', { slug })
  await workbooks.updateWorkbook(transaction, viewer.accountId, holder, { slug: null, updatedAt: effects.now() })
}
