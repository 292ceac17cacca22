import { CodedError, type WorkspaceItem, type WorkspaceItemRef } from '@hedron/contract'
import { folders, reports, type Store } from '@hedron/store'
import type { Audit } from '../../audit.ts'
import type { CallContext, Caller } from '../../caller.ts'
import type { Effects } from '../../effects.ts'
import { type ContentAccess, notFound, type Viewer } from '../access/content-access.ts'
import type { ChangeFolders } from '../folders/change-folders.ts'
import { removeReport } from '../reports/remove-report.ts'
import { changeReport } from '../reports/write-report.ts'
import { changeWorkbook } from '../workbooks/change-workbook.ts'
import { removeWorkbook } from '../workbooks/remove-workbook.ts'
import { showItems } from './show-items.ts'

export interface WorkspaceNeeds {
  readonly store: Store
  readonly effects: Effects
  readonly audit: Audit
  readonly access: ContentAccess
  readonly changeFolders: ChangeFolders
}

/** Who changes items. */
export interface Actor {
  readonly caller: Caller
  readonly viewer: Viewer
  readonly context: CallContext
}

/** Moving and removing items of any type, each in a transaction of its own. */
export interface ChangeItems {
  /**
   * @param folderId null: the root.
   * @throws {CodedError} `<type>_not_found`, `content_level_missing`, `folder_into_itself`, `folder_too_deep`, `name_taken`,
   * `report_in_workbook`.
   */
  move(actor: Actor, item: WorkspaceItemRef, folderId: number | null): Promise<WorkspaceItem>
  /** @throws {CodedError} `<type>_not_found`, `content_level_missing`, `folder_not_empty`. */
  remove(actor: Actor, item: WorkspaceItemRef): Promise<void>
}

export function createChangeItems(needs: WorkspaceNeeds): ChangeItems {
  const { store, effects, audit, access, changeFolders } = needs

  const moves = {
    FOLDER: ({ caller, viewer, context }: Actor, id: number, folderId: number | null) =>
      store.transaction(async transaction => {
        await changeFolders.move(transaction, viewer, id, folderId, effects.now())
        await audit(transaction, caller, context, 'folder.move', `folder ${id}`, { folderId })
      }),
    WORKBOOK: ({ caller, viewer, context }: Actor, id: number, folderId: number | null) =>
      store.transaction(async transaction => {
        await changeWorkbook(needs, transaction, caller, context, viewer, id, { folderId })
      }),
    REPORT: async ({ caller, viewer, context }: Actor, id: number, folderId: number | null) => {
      await access.require(viewer, 'Report', id, 'manage')
      const row = await reports.findReport(store.kysely, viewer.accountId, viewer.deploymentId, id)
      if (row?.workbookId) throw new CodedError('report_in_workbook', { report: id, workbook: row.workbookId })
      await changeReport(needs, caller, viewer, id, { folderId }, context)
    },
  } as const

  return {
    async move(actor, { type, id }, folderId) {
      await moves[type](actor, id, folderId)
      return show(actor, { type, id })
    },

    async remove({ caller, viewer, context }, { type, id }) {
      await store.transaction(async transaction => {
        if (type === 'WORKBOOK') return removeWorkbook(needs, transaction, caller, context, viewer, id)
        if (type === 'REPORT') return removeReport(needs, transaction, caller, context, viewer, id)
        await changeFolders.remove(transaction, viewer, id)
        await audit(transaction, caller, context, 'folder.delete', `folder ${id}`)
      })
    },
  }

  async function show({ caller, viewer }: Actor, { type, id }: WorkspaceItemRef): Promise<WorkspaceItem> {
    const [row] = type === 'FOLDER' ? await folders.findFolders(store.kysely, viewer.accountId, [id]) : []
    const refs =
      type === 'FOLDER'
        ? row === undefined
          ? []
          : [{ type: 'Folder', row } as const]
        : [{ type: type === 'WORKBOOK' ? 'Workbook' : 'Report', id } as const]
    const [shown] = await showItems(store.kysely, caller, viewer, refs)
    if (shown === undefined) {
      throw notFound(type === 'FOLDER' ? 'Folder' : type === 'WORKBOOK' ? 'Workbook' : 'Report', id)
    }
    return shown
  }
}
