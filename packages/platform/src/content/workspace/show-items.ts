import type { WorkspaceItem } from '@hedron/contract'
import { type Executor, type folders, reports, workbooks } from '@hedron/store'
import type { Caller } from '../../caller.ts'
import type { Viewer } from '../access/content-access.ts'
import { showFolders } from '../folders/show-folder.ts'
import { showReports } from '../reports/show-report.ts'
import { showWorkbooks } from '../workbooks/show-workbook.ts'

/** An item that the viewer may see; a folder may have been read already. */
type Ref =
  | { readonly type: 'Folder'; readonly row: folders.FolderRow }
  | { readonly type: 'Workbook' | 'Report'; readonly id: number }

/**
 * Items of a workspace as the API shows them, in the order given; a few statements for each type, however many there are. Those
 * that were deleted since they were found are left out.
 */
export async function showItems(
  executor: Executor,
  caller: Caller,
  view: Viewer,
  items: readonly Ref[],
): Promise<WorkspaceItem[]> {
  const idsOf = (type: 'Workbook' | 'Report') => items.flatMap(item => (item.type === type ? [item.id] : []))
  const folderRows = items.flatMap(item => (item.type === 'Folder' ? [item.row] : []))
  const [shownFolders, shownWorkbooks, shownReports] = await Promise.all([
    showFolders(executor, view, folderRows),
    workbooks
      .findWorkbooks(executor, view.accountId, idsOf('Workbook'))
      .then(rows => showWorkbooks(executor, caller, rows)),
    reports
      .findReports(executor, view.accountId, idsOf('Report'))
      .then(rows => showReports(executor, caller, view, rows)),
  ])
  const shown = new Map<string, WorkspaceItem>()
  for (const folder of shownFolders) {
    shown.set(`Folder ${folder.id}`, { ...folder, type: 'FOLDER', meta: {}, calculatedFields: {} })
  }
  for (const workbook of shownWorkbooks) shown.set(`Workbook ${workbook.id}`, { ...workbook, type: 'WORKBOOK' })
  for (const report of shownReports) {
    shown.set(`Report ${report.id}`, { ...report, type: 'REPORT', meta: { ...report.meta }, calculatedFields: {} })
  }
  return items.flatMap(item => {
    const one = shown.get(`${item.type} ${item.type === 'Folder' ? item.row.id : item.id}`)
    if (one === undefined) return []
    return [view.hidesOwners ? withoutOwner(one) : one]
  })
}

/** The item without whose it is. */
function withoutOwner({ createdBy: _, ...item }: WorkspaceItem): WorkspaceItem {
  switch (item.type) {
    case 'FOLDER':
      return { ...item, user: null, updatedBy: null }
    case 'WORKBOOK':
      return { ...item, user: null, userId: null }
    case 'REPORT':
      return { ...item, user: null, userId: null, refreshedBy: null, refreshedByUser: null, rolesWithAccess: [] }
  }
}
