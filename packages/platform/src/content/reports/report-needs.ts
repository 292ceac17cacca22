import { CodedError, type Report } from '@hedron/contract'
import { type ContentLevel, reports, type Store } from '@hedron/store'
import type { Audit } from '../../audit.ts'
import type { Caller } from '../../caller.ts'
import type { Effects } from '../../effects.ts'
import type { ContentAccess, Viewer } from '../access/content-access.ts'
import { showReports } from './show-report.ts'

export interface ReportsNeed {
  readonly store: Store
  readonly effects: Effects
  readonly audit: Audit
  readonly access: ContentAccess
}

/**
 * One report as the viewer sees it.
 *
 * @throws {CodedError} `report_not_found`, also where he may not see it.
 */
export async function showReport(
  { store, access }: Pick<ReportsNeed, 'store' | 'access'>,
  caller: Caller,
  viewer: Viewer,
  id: number,
): Promise<Report> {
  const level = await access.levelOf(viewer, 'Report', id)
  const row = level && (await reports.findReport(store.kysely, viewer.accountId, viewer.deploymentId, id))
  if (!level || !row) throw new CodedError('report_not_found', { report: id })
  const levels: ReadonlyMap<number, ContentLevel> = new Map([[id, level]])
  const [shown] = await showReports(store.kysely, caller, viewer, [row], levels)
  if (!shown) throw new Error(`report ${id} was not shown`)
  return shown
}
