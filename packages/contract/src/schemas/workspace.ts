import * as z from 'zod'
import { Id } from './common.ts'
import { Folder, FolderOrRoot, WorkspaceItemType } from './folder.ts'
import { PageInfo, PageQuery } from './page.ts'
import { Report } from './report.ts'
import { BulkActionError } from './user-admin.ts'
import { Workbook } from './workbook.ts'

/** What the published contract has of every item, as if each was a workbook; empty where it is none. */
const ofWorkbook = {
  meta: z.record(z.string(), z.unknown()),
  calculatedFields: z.record(z.string(), z.unknown()),
}

/** One item of the workspace: a folder, workbook or report as its own operations answer it. */
export const WorkspaceItem = z.discriminatedUnion('type', [
  Workbook.extend({ type: z.literal('WORKBOOK') }).meta({ id: 'WorkspaceWorkbook' }),
  Folder.extend({ ...ofWorkbook, type: z.literal('FOLDER') }).meta({ id: 'WorkspaceFolder' }),
  Report.extend({ ...ofWorkbook, type: z.literal('REPORT') }).meta({ id: 'WorkspaceReport' }),
])
export type WorkspaceItem = z.infer<typeof WorkspaceItem>

export const WorkspaceConnectionResponse = z
  .object({ items: z.array(WorkspaceItem), pageInfo: PageInfo })
  .meta({ id: 'WorkspaceConnectionResponse' })

export const WorkspaceQuery = PageQuery.extend({
  folderId: FolderOrRoot.optional().meta({ description: 'The folder to list; absent or 0: the root.' }),
  types: z.array(WorkspaceItemType).max(100).optional().meta({ description: 'Only items of these types.' }),
  orderByField: z
    .enum(['updated_at', 'created_at', 'name', 'viewer_last_viewed_at'])
    .optional()
    .meta({ description: 'Sorts workbooks and reports; absent: updated_at. viewer_last_viewed_at has no cursors.' }),
  orderByDirection: z.enum(['ASC', 'DESC']).optional().meta({ description: 'Absent: ASC for name, else DESC.' }),
  search: z
    .string()
    .max(255)
    .optional()
    .meta({ description: 'Part of a name, whatever its case. It finds items in all folders, whichever is listed.' }),
})
export type WorkspaceQuery = z.infer<typeof WorkspaceQuery>

const ref = { type: WorkspaceItemType, id: Id }
const folderId = FolderOrRoot.nullish().meta({ description: 'Where to; absent, null or 0: the root of the workspace.' })

export const WorkspaceItemRef = z.object(ref).meta({ id: 'WorkspaceItemRef' })
export type WorkspaceItemRef = z.infer<typeof WorkspaceItemRef>

export const MoveWorkspaceObjectInput = z.strictObject({ ...ref, folderId }).meta({ id: 'MoveWorkspaceObjectInput' })

const items = z
  .array(z.strictObject(ref).meta({ id: 'WorkspaceItemRefInput' }))
  .min(1)
  .max(100)

export const BulkMoveWorkspaceObjectsInput = z
  .strictObject({ items, folderId })
  .meta({ id: 'BulkMoveWorkspaceObjectsInput' })
export const BulkDeleteWorkspaceObjectsInput = z.strictObject({ items }).meta({ id: 'BulkDeleteWorkspaceObjectsInput' })

export const WorkspaceBulkFailure = z.object({ ...ref, error: BulkActionError }).meta({ id: 'WorkspaceBulkFailure' })
export type WorkspaceBulkFailure = z.infer<typeof WorkspaceBulkFailure>

export const BulkMoveWorkspaceObjectsResponse = z
  .object({ moved: z.array(WorkspaceItem), failed: z.array(WorkspaceBulkFailure) })
  .meta({ id: 'BulkMoveWorkspaceObjectsResponse' })
export const BulkDeleteWorkspaceObjectsPayload = z
  .object({ deleted: z.array(WorkspaceItemRef), failed: z.array(WorkspaceBulkFailure) })
  .meta({ id: 'BulkDeleteWorkspaceObjectsPayload' })
