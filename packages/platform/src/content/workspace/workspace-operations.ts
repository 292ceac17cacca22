import { CodedError, type WorkspaceBulkFailure, type WorkspaceItem, type WorkspaceItemRef } from '@hedron/contract'
import type { CallContext } from '../../caller.ts'
import type { Operations } from '../../operations.ts'
import { sharedView } from '../access/content-access.ts'
import { createChangeItems, type WorkspaceNeeds } from './change-items.ts'
import { listWorkspace } from './list-workspace.ts'

type WorkspaceOperations = Pick<
  Operations,
  | 'workspaceObjects'
  | 'sharedWorkspaceObjects'
  | 'moveWorkspaceObject'
  | 'bulkMoveWorkspaceObjects'
  | 'bulkDeleteWorkspaceObjects'
>

interface Needs extends WorkspaceNeeds {
  /** Told of faults that no caller can act on. */
  readonly report: (error: unknown) => void
}

/** The items of a workspace, whatever their type (contract tag Workspace). */
export function createWorkspaceOperations(needs: Needs): WorkspaceOperations {
  const { store, access, report } = needs
  const items = createChangeItems(needs)

  return {
    async workspaceObjects(caller, { params, query }) {
      const viewer = await access.viewerOf(caller, params.deploymentId)
      const folderId = query.folderId || null
      const view = folderId === null ? viewer : await access.require(viewer, 'Folder', folderId, 'read')
      return listWorkspace(store, caller, view, folderId, query)
    },

    async sharedWorkspaceObjects(caller, { params, query }) {
      const view = sharedView(await access.viewerOf(caller, params.deploymentId))
      const folderId = query.folderId || null
      if (folderId !== null) await access.require(view, 'Folder', folderId, 'read')
      return listWorkspace(store, caller, view, folderId, query)
    },

    async moveWorkspaceObject(caller, { params, body: { type, id, folderId } }, context) {
      const viewer = await access.viewerOf(caller, params.deploymentId)
      return items.move({ caller, viewer, context }, { type, id }, folderId || null)
    },

    async bulkMoveWorkspaceObjects(caller, { params, body }, context) {
      const viewer = await access.viewerOf(caller, params.deploymentId)
      const moved: WorkspaceItem[] = []
      const failed = await each(body.items, context, async item => {
        moved.push(await items.move({ caller, viewer, context }, item, body.folderId || null))
      })
      return { moved, failed }
    },

    async bulkDeleteWorkspaceObjects(caller, { params, body }, context) {
      const viewer = await access.viewerOf(caller, params.deploymentId)
      const deleted: WorkspaceItemRef[] = []
      const failed = await each(body.items, context, async item => {
        await items.remove({ caller, viewer, context }, item)
        deleted.push(item)
      })
      return { deleted, failed }
    },
  }

  /** Does something to each distinct item, in order; what fails does not stop the others. @returns what failed. */
  async function each(
    refs: readonly WorkspaceItemRef[],
    { signal, requestId }: CallContext,
    change: (item: WorkspaceItemRef) => Promise<void>,
  ): Promise<WorkspaceBulkFailure[]> {
    const failed: WorkspaceBulkFailure[] = []
    for (const { type, id } of new Map(refs.map(ref => [`${ref.type} ${ref.id}`, ref])).values()) {
      signal.throwIfAborted()
      try {
        await change({ type, id })
      } catch (error) {
        // A fault of one item must not hide what came of the others.
        if (!(error instanceof CodedError)) report(error)
        const { status, message } =
          error instanceof CodedError ? error : new CodedError('internal_error', { requestId })
        failed.push({ type, id, error: { status, message } })
      }
    }
    return failed
  }
}
