import { type Executor, reports } from '@hedron/store'
import type { CallContext, Caller } from '../../caller.ts'
import type { Viewer } from '../access/content-access.ts'
import type { ReportsNeed } from './report-needs.ts'

/** @throws {CodedError} `report_not_found`, `content_level_missing`. */
export async function removeReport(
  { access, audit }: Pick<ReportsNeed, 'access' | 'audit'>,
  transaction: Executor,
  caller: Caller,
  context: CallContext,
  viewer: Viewer,
  id: number,
): Promise<void> {
  await access.requireToRemove(viewer, 'Report', id, transaction)
  await reports.deleteReport(transaction, viewer.accountId, id)
  await audit(transaction, caller, context, 'report.delete', `report ${id}`)
}
