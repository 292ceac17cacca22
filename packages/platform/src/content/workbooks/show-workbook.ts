import type { Workbook } from '@hedron/contract'
import { contentDetails, type dashboards, type Executor, type workbooks } from '@hedron/store'
import type { Caller } from '../../caller.ts'
import { draftOf } from '../dashboards/draft.ts'
import { publishedConfig, showDashboard } from '../dashboards/show-dashboard.ts'

/**
 * Whether an embed session sees an item of the account's own workspace, which somebody of the account shared: its owner stays
 * unnamed, and a workbook shows what is published of it and no more (contract/behaviour/embed.md, section 10).
 */
export const isFromMainWorkspace = (
  caller: Caller,
  item: { readonly embedTenantId: number | null; readonly userId: number | null },
): boolean =>
  caller.embed !== null && item.embedTenantId === null && (item.userId === null || item.userId !== caller.userId)

/** Workbooks as lists show them, in two statements however many there are. */
export async function showWorkbooks(
  executor: Executor,
  caller: Caller,
  rows: readonly workbooks.WorkbookRow[],
): Promise<Workbook[]> {
  const { accountId } = caller
  const [owners, paths] = await Promise.all([
    contentDetails.findOwners(executor, accountId, present(rows.map(row => row.userId))),
    contentDetails.folderPaths(executor, accountId, present(rows.map(row => row.folderId))),
  ])
  return rows.map(row => {
    const isMasked = isFromMainWorkspace(caller, row)
    const owner = isMasked || row.userId === null ? undefined : owners.get(row.userId)
    const meta = isMasked ? {} : row.meta
    return {
      id: row.id,
      deploymentId: row.deploymentId,
      type: 'WORKBOOK',
      name: row.name,
      slug: row.slug,
      meta,
      calculatedFields: objectOf(meta.calculatedFields),
      folderId: row.folderId,
      folderPath: [...(paths.get(row.folderId ?? 0) ?? [])],
      user: owner ?? null,
      userId: owner?.id ?? null,
      ...(owner === undefined ? {} : { createdBy: owner.id }),
      isFavorite: null,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    }
  })
}

/** A workbook as it is read on its own: with its dashboard, as a draft and as published. */
export async function showWholeWorkbook(
  executor: Executor,
  caller: Caller,
  row: workbooks.WorkbookRow,
  published: dashboards.PublishedDashboard | undefined,
  restrictDataDownload: boolean,
): Promise<Workbook> {
  const [shown] = await showWorkbooks(executor, caller, [row])
  if (!shown) throw new Error('a workbook was not shown')
  const isEmbedded = caller.embed !== null
  const fromSharedWorkspace = isFromMainWorkspace(caller, row)
  return {
    ...shown,
    dashboardDraft: fromSharedWorkspace ? null : draftOf(row.meta),
    dashboardPublished: published === undefined ? null : publishedConfig(published),
    publishedDashboard:
      published === undefined
        ? null
        : showDashboard(published, { isEmbedded, fromSharedWorkspace, restrictDataDownload }),
  }
}

const present = (ids: readonly (number | null)[]): number[] => ids.filter(id => id !== null)

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
