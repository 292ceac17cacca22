import { CodedError, type Report, type ReportsQuery } from '@hedron/contract'
import { reports, type Store } from '@hedron/store'
import type { Caller } from '../../caller.ts'
import { type Page, page, type Window } from '../../page.ts'
import type { Viewer } from '../access/content-access.ts'
import { showReports } from './show-report.ts'

interface ReportsPage {
  readonly items: Report[]
  readonly data: Report[]
  readonly count: number | null
  readonly pageInfo: Page<never>['pageInfo'] | null
}

/** Order that a cursor was made in, the row's value in it, and the row. */
type Key = readonly [order: string, value: string, id: number]

/** Reports on a numbered page where no limit is asked for, and at most. */
const pageSize = 100
const largest = 1000

/**
 * A page of what the viewer may read: by cursor, or by number as older clients ask.
 *
 * @throws {CodedError} `cursor_invalid`, also for a cursor of another order; `invalid_request` where a query asks for both kinds of
 * page, or for a cursor where there is none.
 */
export async function listReports(
  store: Store,
  caller: Caller,
  viewer: Viewer,
  query: ReportsQuery,
): Promise<ReportsPage> {
  const filter = {
    workbookId: query.workbookId,
    folderId: query.folderId,
    externalWorkbookId: query.externalWorkbookId || undefined,
    search: query.search || undefined,
  }
  const order = query.sortBy ?? 'updatedAt'
  const direction = (query.sortDirection ?? (order === 'name' ? 'ASC' : 'DESC')) === 'ASC' ? 'asc' : 'desc'
  const isNumbered = query.page !== undefined || query.limit !== undefined
  const isByCursor = query.first !== undefined || Boolean(query.after)
  if (isNumbered && isByCursor) throw invalid('page and limit cannot be combined with first and after')
  if (order === 'lastViewedAt' && query.after) {
    throw invalid('after: what is sorted by lastViewedAt has no cursors; ask for page and limit')
  }
  const count = isByCursor ? null : await reports.countReports(store.kysely, viewer, filter)
  if (isNumbered || order === 'lastViewedAt') {
    const limit = Math.min(query.limit ?? query.first ?? pageSize, largest)
    const offset = ((query.page ?? 1) - 1) * limit
    const window = { order, direction, after: undefined, limit, offset } as const
    const items = await show(await reports.listReports(store.kysely, viewer, filter, window))
    return { items, data: items, count, pageInfo: null }
  }
  const marker = `${order} ${direction}`
  const list = await page(
    'reports',
    query,
    ({ limit, after }: Window<Key>) => {
      if (after && after[0] !== marker) throw new CodedError('cursor_invalid', { cursor: query.after ?? '' })
      const place = after && ([after[1], after[2]] as const)
      return reports.listReports(store.kysely, viewer, filter, { order, direction, after: place, limit, offset: 0 })
    },
    row => [marker, order === 'name' ? row.name : row[order].toISOString(), row.id] as const,
    row => row,
  )
  const items = await show(list.items)
  return { items, data: items, count, pageInfo: list.pageInfo }

  function show(rows: readonly reports.ReportRow[]): Promise<Report[]> {
    return showReports(store.kysely, caller, viewer, rows)
  }
}

const invalid = (problems: string) => new CodedError('invalid_request', { problems: `query: ${problems}` })
