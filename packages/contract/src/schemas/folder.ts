import * as z from 'zod'
import { Id, Timestamp } from './common.ts'
import { FolderPathEntry, ResourceOwner } from './content.ts'
import { listOf } from './page.ts'

/** Levels of folders in folders. */
export const deepestFolder = 10

/** Clients of the field say 0 for the root of the workspace. */
export const FolderOrRoot = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

/** What the workspace holds. */
export const WorkspaceItemType = z.enum(['FOLDER', 'WORKBOOK', 'REPORT']).meta({ id: 'WorkspaceItemType' })
export type WorkspaceItemType = z.infer<typeof WorkspaceItemType>

export const Folder = z
  .object({
    id: Id,
    deploymentId: Id,
    type: WorkspaceItemType,
    name: z.string(),
    position: z.int().meta({ description: 'Orders it among the folders beside it; those of one position by name.' }),
    parentId: Id.nullish().meta({ description: 'The folder that it is in; null: the root of the workspace.' }),
    folderPath: z
      .array(FolderPathEntry)
      .optional()
      .meta({ description: 'The folders that it is in, from the root on.' }),
    user: ResourceOwner.nullish().meta({
      description: 'The owner; null on what an account shares with embed users, and once that user is gone.',
    }),
    createdBy: Id.optional(),
    updatedBy: Id.nullish(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Folder' })
export type Folder = z.infer<typeof Folder>

export const FoldersListResponse = listOf(Folder)
  .extend({
    count: z
      .int()
      .min(0)
      .nullish()
      .meta({ deprecated: true, description: 'All folders there that the caller can see, however they are paged.' }),
  })
  .meta({ id: 'FoldersListResponse' })

const name = z.string().trim().min(1).max(255)
const position = z.int().min(0).max(1_000_000).nullish()

export const CreateFolderInput = z
  .strictObject({
    name,
    parentId: FolderOrRoot.nullish().meta({
      description: 'The folder to make it in; absent, null or 0: the root of the workspace.',
    }),
    position: position.meta({ description: 'Absent or null: 0.' }),
  })
  .meta({ id: 'CreateFolderInput' })
export type CreateFolderInput = z.infer<typeof CreateFolderInput>

export const UpdateFolderInput = z
  .strictObject({ name: name.nullish(), position })
  .meta({ id: 'UpdateFolderInput', description: 'What is absent or null stays as it is.' })
export type UpdateFolderInput = z.infer<typeof UpdateFolderInput>
