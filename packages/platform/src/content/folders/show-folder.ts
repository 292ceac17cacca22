import type { Folder, ResourceOwner } from '@hedron/contract'
import { contentDetails, type Executor, type folders } from '@hedron/store'
import type { Viewer } from '../access/content-access.ts'

/** Folders as the API shows them, with the paths to them. The viewer may see each: so he may see all that they are in. */
export async function showFolders(
  executor: Executor,
  view: Viewer,
  rows: readonly folders.FolderRow[],
): Promise<Folder[]> {
  const parents = [...new Set(rows.flatMap(({ parentId }) => parentId ?? []))]
  const paths = await contentDetails.folderPaths(executor, view.accountId, parents)
  return rows.map(row => ({
    id: row.id,
    deploymentId: row.deploymentId,
    type: 'FOLDER',
    name: row.name,
    position: row.position,
    parentId: row.parentId,
    folderPath: [...(paths.get(row.parentId ?? 0) ?? [])],
    ...(view.hidesOwners
      ? { user: null, updatedBy: null }
      : { user: ownerOf(row), updatedBy: row.updatedBy, ...(row.userId === null ? {} : { createdBy: row.userId }) }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }))
}

const ownerOf = ({ userId, ownerEmail, ownerFirstName, ownerPicture }: folders.FolderRow): ResourceOwner | null =>
  userId === null ? null : { id: userId, email: ownerEmail ?? '', firstName: ownerFirstName, picture: ownerPicture }
