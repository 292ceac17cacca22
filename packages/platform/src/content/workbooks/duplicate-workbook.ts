import { CodedError, DashboardConfig, type Workbook } from '@hedron/contract'
import { copyReports, dashboards, type Executor, workbooks } from '@hedron/store'
import type { CallContext, Caller } from '../../caller.ts'
import { sharedView, type Viewer } from '../access/content-access.ts'
import { draftOf } from '../dashboards/draft.ts'
import { showCopies } from '../dashboards/report-references.ts'
import { newPublicId } from '../public-id.ts'
import { readWhole, type WorkbooksNeed } from './workbook-needs.ts'

/**
 * Copies a workbook; the copy is the caller's, and shared with nobody.
 *
 * @param isShared whether the original is one that the account shares with embed users: then only what is published is copied.
 * @throws {CodedError} `workbook_not_found`, `creator_mode_required`, `dashboard_not_published`, `permission_missing`.
 */
export async function duplicate(
  need: WorkbooksNeed,
  caller: Caller,
  context: CallContext,
  viewer: Viewer,
  workbookId: number,
  isShared: boolean,
): Promise<Workbook> {
  const { store, access } = need
  access.requireCreator(caller, viewer)
  if (isShared && caller.embed?.creatorMode !== true) throw new CodedError('creator_mode_required', {})
  const eyes = isShared ? sharedView(viewer) : viewer
  return store.transaction(async transaction => {
    await access.require(eyes, 'Workbook', workbookId, 'read', transaction)
    const source = await workbooks.lockWorkbook(transaction, caller.accountId, viewer.deploymentId, workbookId)
    // In creator mode what the account shares can be read too, but is copied only when asked for as shared.
    if (!source || source.embedTenantId !== eyes.embedTenantId) {
      throw new CodedError('workbook_not_found', { workbook: workbookId })
    }
    const published = await dashboards.findPublishedOfWorkbook(transaction, caller.accountId, workbookId)
    if (isShared && !published) throw new CodedError('dashboard_not_published', { workbook: workbookId })
    const row = await insertCopy(need, transaction, caller, viewer, source, isShared)
    const target = {
      accountId: caller.accountId,
      embedTenantId: viewer.embedTenantId,
      workbookId: row.id,
      userId: caller.userId,
      newPublicId: () => newPublicId(need.effects),
    }
    const copies =
      isShared && published
        ? await copyReports.reportsOfSnapshots(transaction, published.versionId, target)
        : await copyReports.copyReportsOfWorkbook(transaction, workbookId, target)
    const draft = isShared && published ? DashboardConfig.parse(published.config) : draftOf(source.meta)
    const { dashboardDraft: _, ...rest } = source.meta
    const meta = { ...(isShared ? {} : rest), ...(draft ? { dashboardDraft: showCopies(draft, copies) } : {}) }
    await workbooks.updateWorkbook(transaction, caller.accountId, row.id, { meta: JSON.stringify(meta) })
    if (published) await publishCopy(need, transaction, caller, published, row.id, copies)
    await need.audit(transaction, caller, context, 'workbook.duplicate', `workbook ${row.id}`, { of: workbookId })
    return readWhole(transaction, caller, { ...row, meta })
  })
}

/** The new workbook, still empty: beside the original where the caller may put it there, else at the root. */
async function insertCopy(
  { access, effects }: WorkbooksNeed,
  transaction: Executor,
  caller: Caller,
  viewer: Viewer,
  source: workbooks.WorkbookRow,
  isShared: boolean,
): Promise<workbooks.WorkbookRow> {
  const level =
    isShared || source.folderId === null ? null : await access.levelOf(viewer, 'Folder', source.folderId, transaction)
  const staysBeside = level === 'edit' || level === 'manage'
  const at = effects.now()
  const row = await workbooks.insertWorkbook(transaction, {
    accountId: caller.accountId,
    deploymentId: viewer.deploymentId,
    embedTenantId: viewer.embedTenantId,
    folderId: staysBeside ? source.folderId : null,
    name: cut(`Copy of ${source.name}`),
    slug: null,
    userId: caller.userId,
    createdAt: at,
    updatedAt: at,
  })
  if (!row) throw new Error('a workbook without a slug met another')
  return row
}

/** Publishes the copy as the original is published, of the copied reports; signed embedding begins switched off. */
async function publishCopy(
  { effects }: WorkbooksNeed,
  transaction: Executor,
  caller: Caller,
  original: dashboards.PublishedDashboard,
  workbookId: number,
  copies: ReadonlyMap<number, number>,
): Promise<void> {
  const at = effects.now()
  const config = showCopies(DashboardConfig.parse(original.config), copies)
  const { versionId } = await dashboards.publishVersion(
    transaction,
    {
      accountId: caller.accountId,
      deploymentId: original.deploymentId,
      workbookId,
      publicId: newPublicId(effects),
      allowEmbed: false,
      aiThreads: JSON.stringify(original.aiThreads),
      createdBy: caller.userId,
      createdAt: at,
      updatedAt: at,
    },
    {
      title: original.title,
      description: original.description,
      config: JSON.stringify(config),
      createdBy: caller.userId,
      createdAt: at,
    },
    at,
  )
  await dashboards.copySnapshots(transaction, caller.accountId, original.versionId, versionId, copies)
}

/** Names end at 255 characters; half of a surrogate pair is none. */
const cut = (name: string): string => (name.length <= 255 ? name : name.slice(0, 255).replace(/[\ud800-\udbff]$/, ''))
