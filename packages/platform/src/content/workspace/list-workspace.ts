import { CodedError, type PageInfo, type WorkspaceItem, type WorkspaceQuery } from '@hedron/contract'
import { folders, type Store, workspace } from '@hedron/store'
import type { Caller } from '../../caller.ts'
import { page, type Window } from '../../page.ts'
import type { Viewer } from '../access/content-access.ts'
import { showItems } from './show-items.ts'

/** Marker of the order, type, position of a folder, what it is sorted by, id. */
type Key = readonly [order: string, type: WorkspaceItem['type'], position: number, sortKey: string, id: number]

const names = { Workbook: 'WORKBOOK', Report: 'REPORT' } as const

/**
 * A page of a workspace, or of one folder of it: folders first, then workbooks and reports in one order.
 *
 * @param folderId null: the root. Where something is searched for, it is found in all folders.
 * @throws {CodedError} `cursor_invalid`, also for a cursor of another order; `invalid_request` for a cursor where there is none.
 */
export async function listWorkspace(
  store: Store,
  caller: Caller,
  view: Viewer,
  folderId: number | null,
  query: WorkspaceQuery,
): Promise<{ items: WorkspaceItem[]; pageInfo: PageInfo }> {
  const order = query.orderByField ?? 'updated_at'
  const direction = query.orderByDirection ?? (order === 'name' ? 'ASC' : 'DESC')
  const marker = `${order} ${direction}`
  const hasCursors = order !== 'viewer_last_viewed_at'
  if (query.after && !hasCursors) {
    const problems = 'after: what is sorted by viewer_last_viewed_at has no cursors; ask for more with first'
    throw new CodedError('invalid_request', { problems })
  }
  const search = query.search || undefined
  const place = search === undefined ? folderId : undefined
  const wants = (type: WorkspaceItem['type']) => !query.types?.length || query.types.includes(type)
  const types = (['Workbook', 'Report'] as const).filter(type => wants(names[type]))

  const list = await page(
    'workspace',
    { first: query.first, after: query.after },
    async ({ limit, after }: Window<Key>): Promise<Found[]> => {
      if (after && after[0] !== marker) throw new CodedError('cursor_invalid', { cursor: query.after ?? '' })
      const found: Found[] = []
      if (wants('FOLDER') && (!after || after[1] === 'FOLDER')) {
        const rows = await folders.listFolders(store.kysely, view, {
          parentId: place,
          search,
          after: after && [after[2], after[3], after[4]],
          limit,
        })
        found.push(...rows.map(row => ({ type: 'Folder', row }) as const))
      }
      if (found.length === limit) return found
      const before = after?.[1] === 'WORKBOOK' ? 'Workbook' : after?.[1] === 'REPORT' ? 'Report' : undefined
      const items = await workspace.listPlacedItems(store.kysely, view, {
        types,
        folderId: place,
        search,
        order,
        direction: direction === 'ASC' ? 'asc' : 'desc',
        after: after && before && { sortKey: after[3], type: before, id: after[4] },
        limit: limit - found.length,
      })
      return [...found, ...items]
    },
    (item): Key =>
      item.type === 'Folder'
        ? [marker, 'FOLDER', item.row.position, item.row.sortName, item.row.id]
        : [marker, names[item.type], 0, item.sortKey ?? '', item.id],
    item => item,
  )
  return {
    items: await showItems(store.kysely, caller, view, list.items),
    pageInfo: hasCursors ? list.pageInfo : { ...list.pageInfo, startCursor: null, endCursor: null },
  }
}

export type Found = { readonly type: 'Folder'; readonly row: folders.FolderRow } | workspace.PlacedItem
