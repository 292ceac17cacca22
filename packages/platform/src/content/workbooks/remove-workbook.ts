import { CodedError } from '@hedron/contract'
import { type Executor, workbooks } from '@hedron/store'
import type { CallContext, Caller } from '../../caller.ts'
import type { Viewer } from '../access/content-access.ts'
import type { WorkbooksNeed } from './workbook-needs.ts'

/**
 * Removes a workbook with its reports and its dashboard.
 *
 * @throws {CodedError} `workbook_not_found`, `content_level_missing`.
 */
export async function removeWorkbook(
  { access, audit }: Pick<WorkbooksNeed, 'access' | 'audit'>,
  transaction: Executor,
  caller: Caller,
  context: CallContext,
  viewer: Viewer,
  workbookId: number,
): Promise<void> {
  await access.requireToRemove(viewer, 'Workbook', workbookId, transaction)
  const deleted = await workbooks.deleteWorkbook(transaction, caller.accountId, workbookId)
  if (!deleted) throw new CodedError('workbook_not_found', { workbook: workbookId })
  await audit(transaction, caller, context, 'workbook.delete', `workbook ${workbookId}`)
}
