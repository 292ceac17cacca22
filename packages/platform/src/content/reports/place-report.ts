import {
  CodedError,
  type ConnectReportToWorkbookInput,
  type DisconnectReportFromWorkbookInput,
  type RefreshReportInput,
} from '@hedron/contract'
import { type Executor, reports } from '@hedron/store'
import type { CallContext, Caller } from '../../caller.ts'
import { randomId } from '../../effects.ts'
import type { Viewer } from '../access/content-access.ts'
import { isFromMainWorkspace } from '../workbooks/show-workbook.ts'
import {
  findPlacement,
  mostPlacements,
  putPlacement,
  readPlacements,
  refreshed,
  type StoredPlacement,
} from './placements.ts'
import { queryChecksum } from './query-checksum.ts'
import type { ReportsNeed } from './report-needs.ts'
import { askedOf } from './show-report.ts'

/** Columns that a change of a report's places writes. */
type Places = Parameters<typeof reports.updateReport>[3]

export interface Placed {
  readonly caller: Caller
  readonly viewer: Viewer
  readonly id: number
  readonly context: CallContext
}

/** Writes down where a spreadsheet shows a report. @throws {CodedError} as `changePlaces`; `too_many_placements`. */
export async function connect(need: ReportsNeed, placed: Placed, body: ConnectReportToWorkbookInput): Promise<void> {
  await changePlaces(need, placed, 'report.connect', row => {
    const checksum = body.addressOnly ? null : queryChecksum(askedOf(row))
    const { placements, placement } = putPlacement(readPlacements(row.placements), body, {
      at: need.effects.now().toISOString(),
      by: placed.caller.userId,
      newId: () => randomId(need.effects),
      checksum,
    })
    if (placements.length > mostPlacements) {
      throw new CodedError('too_many_placements', { report: row.id, limit: mostPlacements })
    }
    return { placements: JSON.stringify(placements), ...lastPlace(placement) }
  })
}

/** Forgets one place; one that is not known is forgotten already. @throws {CodedError} as `changePlaces`. */
export async function disconnect(
  need: ReportsNeed,
  placed: Placed,
  body: DisconnectReportFromWorkbookInput,
): Promise<void> {
  await changePlaces(need, placed, 'report.disconnect', row => {
    const placements = readPlacements(row.placements)
    const gone = findPlacement(placements, body)
    if (!gone) return undefined
    const rest = placements.filter(placement => placement !== gone)
    const wasLast = row.externalWorkbookId === gone.workbookId && row.resultLocation === gone.resultLocation
    return { placements: JSON.stringify(rest), ...(wasLast ? lastPlace(rest.at(-1)) : {}) }
  })
}

/** Writes down that the rows were read again, and at which place. @throws {CodedError} as `changePlaces`. */
export async function refresh(need: ReportsNeed, placed: Placed, body: RefreshReportInput): Promise<void> {
  const { caller } = placed
  await changePlaces(need, placed, 'report.refresh', row => {
    const now = need.effects.now()
    const placements = readPlacements(row.placements)
    const target = findPlacement(placements, body)
    const reading = { at: now.toISOString(), by: caller.userId, checksum: queryChecksum(askedOf(row)) }
    const after = placements.map(placement =>
      placement === target ? refreshed(placement, reading, body.resultChecksum) : placement,
    )
    return { placements: JSON.stringify(after), refreshedBy: caller.userId, refreshedAt: now }
  })
}

/**
 * Changes where a report is shown, which needs read access and leaves the report itself as it is. Guests may not: the places are of
 * the account's own spreadsheets.
 *
 * @throws {CodedError} `report_not_found`, `content_level_missing`, `content_read_only`.
 */
async function changePlaces(
  { store, audit, access }: ReportsNeed,
  { caller, viewer, id, context }: Placed,
  action: string,
  change: (row: reports.ReportRow) => Places | undefined,
): Promise<void> {
  await store.transaction(async transaction => {
    await access.require(viewer, 'Report', id, 'read', transaction)
    const row = await lock(transaction, viewer, id)
    if (viewer.most === 'read') throw new CodedError('content_read_only', {})
    if (isFromMainWorkspace(caller, row))
      throw new CodedError('content_level_missing', { type: 'report', id, level: 'edit' })
    const columns = change(row)
    if (columns === undefined) return
    await reports.updateReport(transaction, viewer.accountId, id, columns)
    await audit(transaction, caller, context, action, `report ${id}`)
  })
}

async function lock(executor: Executor, { accountId }: Viewer, id: number): Promise<reports.ReportRow> {
  const row = await reports.lockReport(executor, accountId, id)
  if (!row) throw new CodedError('report_not_found', { report: id })
  return row
}

/** The place that clients which know of one are told. */
const lastPlace = (placement: StoredPlacement | undefined) => ({
  externalWorkbookId: placement?.workbookId ?? null,
  resultLocation: placement?.resultLocation ?? null,
  endResultCell: placement?.endResultCell ?? null,
})
