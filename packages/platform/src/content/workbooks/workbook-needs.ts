import type { Workbook } from '@hedron/contract'
import { contentViews, dashboards, type Executor, type Store, type workbooks } from '@hedron/store'
import type { Audit } from '../../audit.ts'
import type { Caller } from '../../caller.ts'
import type { Effects } from '../../effects.ts'
import { readAccountSettings } from '../../people/account-settings.ts'
import type { ContentAccess } from '../access/content-access.ts'
import { showWholeWorkbook } from './show-workbook.ts'

export interface WorkbooksNeed {
  readonly store: Store
  readonly effects: Effects
  readonly audit: Audit
  readonly access: ContentAccess
}

/** A workbook with its dashboard, as the operations on one answer it. */
export async function readWhole(executor: Executor, caller: Caller, row: workbooks.WorkbookRow): Promise<Workbook> {
  const [published, restricts] = await Promise.all([
    dashboards.findPublishedOfWorkbook(executor, caller.accountId, row.id),
    restrictsDataDownload(executor, caller.accountId),
  ])
  return showWholeWorkbook(executor, caller, row, published, restricts)
}

/** Whether the account lets nobody download rows. */
export async function restrictsDataDownload(executor: Executor, accountId: number): Promise<boolean> {
  return (await readAccountSettings(executor, accountId)).restrictDataDownload
}

/** Writes down that the caller looked at a workbook. */
export async function seen({ store, effects }: WorkbooksNeed, caller: Caller, workbookId: number): Promise<void> {
  const { accountId, userId } = caller
  if (userId === null) return
  const viewedAt = effects.now()
  await contentViews.saveView(store.kysely, {
    accountId,
    userId,
    resourceType: 'Workbook',
    resourceId: workbookId,
    viewedAt,
  })
}
