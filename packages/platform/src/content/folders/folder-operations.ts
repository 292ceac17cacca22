import { CodedError, type Folder } from '@hedron/contract'
import { contentDetails, type Executor, folders, type Store } from '@hedron/store'
import type { Audit } from '../../audit.ts'
import type { Effects } from '../../effects.ts'
import type { Operations } from '../../operations.ts'
import { page } from '../../page.ts'
import type { ContentAccess, Viewer } from '../access/content-access.ts'
import type { ChangeFolders } from './change-folders.ts'
import { showFolders } from './show-folder.ts'

export interface FoldersNeed {
  readonly store: Store
  readonly effects: Effects
  readonly audit: Audit
  readonly access: ContentAccess
  readonly changeFolders: ChangeFolders
}

type FolderOperations = Pick<
  Operations,
  'getFolders' | 'createFolder' | 'updateFolder' | 'deleteFolder' | 'getFolderAncestors'
>

/** Folders of a deployment's workspace (contract tag Folders). */
export function createFolderOperations(needs: FoldersNeed): FolderOperations {
  const { store, effects, audit, access, changeFolders } = needs
  return {
    async getFolders(caller, { params, query: { parentId: asked, ...query } }) {
      const viewer = await access.viewerOf(caller, params.deploymentId)
      const parentId = asked || null
      const view = parentId === null ? viewer : await access.require(viewer, 'Folder', parentId, 'read')
      const list = await page(
        'folders',
        query,
        ({ limit, after }: { limit: number; after: folders.FolderPlace | undefined }) =>
          folders.listFolders(store.kysely, view, { parentId, limit, after }),
        row => [row.position, row.sortName, row.id] as const,
        row => row,
      )
      const items = await showFolders(store.kysely, view, list.items)
      const count = await folders.countFolders(store.kysely, view, parentId)
      return { items, data: items, pageInfo: list.pageInfo, count }
    },

    async createFolder(caller, { params, body }, context) {
      const viewer = await access.viewerOf(caller, params.deploymentId)
      access.requireCreator(caller, viewer)
      return store.transaction(async transaction => {
        const id = await changeFolders.create(transaction, viewer, {
          name: body.name,
          parentId: body.parentId || null,
          position: body.position ?? 0,
          at: effects.now(),
        })
        await audit(transaction, caller, context, 'folder.create', `folder ${id}`, { name: body.name })
        return show(transaction, viewer, id)
      })
    },

    async updateFolder(caller, { params, body }, context) {
      const viewer = await access.viewerOf(caller, params.deploymentId)
      const changes = { name: body?.name ?? undefined, position: body?.position ?? undefined }
      return store.transaction(async transaction => {
        await changeFolders.rename(transaction, viewer, params.folderId, { ...changes, at: effects.now() })
        await audit(transaction, caller, context, 'folder.update', `folder ${params.folderId}`, changes)
        return show(transaction, viewer, params.folderId)
      })
    },

    async deleteFolder(caller, { params }, context) {
      const viewer = await access.viewerOf(caller, params.deploymentId)
      await store.transaction(async transaction => {
        await changeFolders.remove(transaction, viewer, params.folderId)
        await audit(transaction, caller, context, 'folder.delete', `folder ${params.folderId}`)
      })
    },

    async getFolderAncestors(caller, { params }) {
      const viewer = await access.viewerOf(caller, params.deploymentId)
      const view = await access.require(viewer, 'Folder', params.folderId, 'read')
      const path =
        (await contentDetails.folderPaths(store.kysely, view.accountId, [params.folderId])).get(params.folderId) ?? []
      const ids = path.map(({ id }) => id)
      const shown = await showFolders(store.kysely, view, await folders.findFolders(store.kysely, view.accountId, ids))
      return shown.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
    },
  }

  async function show(executor: Executor, viewer: Viewer, id: number): Promise<Folder> {
    const [shown] = await showFolders(executor, viewer, await folders.findFolders(executor, viewer.accountId, [id]))
    if (shown === undefined) throw new CodedError('folder_not_found', { folder: id })
    return shown
  }
}
