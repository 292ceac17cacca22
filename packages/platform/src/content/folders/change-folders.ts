import { CodedError, deepestFolder } from '@hedron/contract'
import { contentDetails, type Executor, folders } from '@hedron/store'
import type { ContentAccess, Viewer } from '../access/content-access.ts'

/** Changes of the tree of folders. Each runs in a transaction of its caller and holds the lock of the deployment's folders. */
export interface ChangeFolders {
  /** @throws {CodedError} `folder_not_found`, `content_level_missing`, `folder_too_deep`, `name_taken`. */
  create(executor: Executor, viewer: Viewer, folder: NewFolder): Promise<number>
  /** @throws {CodedError} `folder_not_found`, `content_level_missing`, `name_taken`. */
  rename(executor: Executor, viewer: Viewer, id: number, changes: FolderChanges): Promise<void>
  /** @throws {CodedError} `folder_not_found`, `content_level_missing`, `folder_into_itself`, `folder_too_deep`, `name_taken`. */
  move(executor: Executor, viewer: Viewer, id: number, parentId: number | null, at: Date): Promise<void>
  /** @throws {CodedError} `folder_not_found`, `content_level_missing`, `folder_not_empty`. */
  remove(executor: Executor, viewer: Viewer, id: number): Promise<void>
}

interface NewFolder {
  readonly name: string
  readonly parentId: number | null
  readonly position: number
  readonly at: Date
}

interface FolderChanges {
  readonly name: string | undefined
  readonly position: number | undefined
  readonly at: Date
}

export function createChangeFolders(access: ContentAccess): ChangeFolders {
  return {
    async create(executor, viewer, { name, parentId, position, at }) {
      await folders.lockFolders(executor, viewer.deploymentId)
      if (parentId !== null) await access.require(viewer, 'Folder', parentId, 'edit', executor)
      await checkDepth(executor, viewer, parentId, 1)
      const row = await folders.insertFolder(executor, {
        accountId: viewer.accountId,
        deploymentId: viewer.deploymentId,
        embedTenantId: viewer.embedTenantId,
        parentId,
        name,
        position,
        userId: viewer.userId,
        createdAt: at,
        updatedAt: at,
      })
      if (row === undefined) throw new CodedError('name_taken', { kind: 'folder', name })
      return row.id
    },

    async rename(executor, viewer, id, { name, position, at }) {
      await folders.lockFolders(executor, viewer.deploymentId)
      await access.require(viewer, 'Folder', id, 'edit', executor)
      if (name === undefined && position === undefined) return
      const folder = await find(executor, viewer, id)
      await checkName(executor, { ...folder, name: name ?? folder.name }, folder.parentId)
      await folders.updateFolder(executor, viewer.accountId, id, {
        ...(name === undefined ? {} : { name }),
        ...(position === undefined ? {} : { position }),
        updatedBy: viewer.userId,
        updatedAt: at,
      })
    },

    async move(executor, viewer, id, parentId, at) {
      await folders.lockFolders(executor, viewer.deploymentId)
      await access.require(viewer, 'Folder', id, 'manage', executor)
      const folder = await find(executor, viewer, id)
      if (parentId !== null) {
        await access.require(viewer, 'Folder', parentId, 'edit', executor)
        const path = (await contentDetails.folderPaths(executor, viewer.accountId, [parentId])).get(parentId) ?? []
        if (path.some(above => above.id === id))
          throw new CodedError('folder_into_itself', { folder: id, into: parentId })
      }
      if (folder.parentId === parentId) return
      await checkDepth(executor, viewer, parentId, await folders.heightOf(executor, viewer.accountId, id))
      await checkName(executor, folder, parentId)
      await folders.updateFolder(executor, viewer.accountId, id, { parentId, updatedBy: viewer.userId, updatedAt: at })
    },

    async remove(executor, viewer, id) {
      await folders.lockFolders(executor, viewer.deploymentId)
      await access.requireToRemove(viewer, 'Folder', id, executor)
      if (await folders.hasFolders(executor, viewer.accountId, id)) {
        throw new CodedError('folder_not_empty', { folder: id })
      }
      await folders.deleteFolder(executor, viewer.accountId, id)
    },
  }

  async function find(executor: Executor, viewer: Viewer, id: number): Promise<folders.FolderRow> {
    const [row] = await folders.findFolders(executor, viewer.accountId, [id])
    if (row === undefined) throw new CodedError('folder_not_found', { folder: id })
    return row
  }

  async function checkDepth(
    executor: Executor,
    viewer: Viewer,
    parentId: number | null,
    height: number,
  ): Promise<void> {
    const path =
      parentId === null ? [] : (await contentDetails.folderPaths(executor, viewer.accountId, [parentId])).get(parentId)
    if ((path?.length ?? 0) + height > deepestFolder) throw new CodedError('folder_too_deep', { limit: deepestFolder })
  }

  async function checkName(executor: Executor, folder: folders.FolderRow, parentId: number | null): Promise<void> {
    if (await folders.isNameTaken(executor, { ...folder, parentId }, folder.name, folder.id)) {
      throw new CodedError('name_taken', { kind: 'folder', name: folder.name })
    }
  }
}
