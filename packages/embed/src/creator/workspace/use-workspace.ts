import type { Folder, WorkspaceItem } from '@hedron/contract'
import { useCallback, useEffect, useState } from 'react'
import { useFrame } from '../../frame/frame-context.tsx'
import { useCreator } from '../creator-context.ts'

const itemsAtOnce = 100

/** What is listed of a folder, or of the root of the workspace. */
export interface Listing {
  /** Folders around it, from the root on, and itself as the last; empty at the root. */
  readonly path: readonly Folder[]
  readonly own: readonly WorkspaceItem[]
  readonly shared: readonly WorkspaceItem[]
  readonly hasMore: boolean
}

/** @param folderId null: the root. @param search part of a name; finds in all folders. */
export function useWorkspace(folderId: number | null, search: string) {
  const { frame } = useFrame()
  const { deploymentId } = useCreator()
  const [listing, setListing] = useState<Listing | Error | null>(null)
  const [pages, setPages] = useState(1)
  const [turn, setTurn] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn asks anew
  useEffect(() => {
    const stop = new AbortController()
    const params = { deploymentId }
    const query = {
      ...(folderId === null ? {} : { folderId }),
      ...(search === '' ? {} : { search }),
      types: ['FOLDER', 'WORKBOOK'] as ('FOLDER' | 'WORKBOOK')[],
    }
    const readList = async (list: typeof frame.api.workspaceObjects) => {
      let items: readonly WorkspaceItem[] = []
      let after: string | undefined
      for (let page = 0; page < pages; page++) {
        const part = { ...query, first: itemsAtOnce, ...(after === undefined ? {} : { after }) }
        const answer = await list({ params, query: part }, stop.signal)
        items = [...items, ...answer.items]
        after = answer.pageInfo.hasNextPage ? (answer.pageInfo.endCursor ?? undefined) : undefined
        if (after === undefined) break
      }
      return { items, hasMore: after !== undefined }
    }
    const read = async () => {
      const [workspace, shared, path, me] = await Promise.all([
        readList(frame.api.workspaceObjects),
        // A folder of one's own is none that is shared with all.
        readList(frame.api.sharedWorkspaceObjects).catch(error => {
          if (folderId !== null) return { items: [], hasMore: false }
          throw error
        }),
        folderId === null
          ? []
          : frame.api.getFolderAncestors({ params: { ...params, folderId } }, stop.signal).catch(() => []),
        frame.api.getMe({}, stop.signal),
      ])
      // What others of the embed tenant share stands in the workspace as well.
      const all = new Map([...shared.items, ...workspace.items].map(item => [`${item.type} ${item.id}`, item]))
      const isOwn = (item: WorkspaceItem) =>
        'userId' in item ? item.userId === me.id : item.type === 'FOLDER' && item.createdBy === me.id
      const items = [...all.values()]
      setListing({
        path,
        own: items.filter(isOwn),
        shared: items.filter(item => !isOwn(item)),
        hasMore: workspace.hasMore || shared.hasMore,
      })
    }
    const timer = setTimeout(
      () =>
        void read().catch((error: unknown) => {
          if (!stop.signal.aborted) setListing(error instanceof Error ? error : new Error(String(error)))
        }),
      search === '' ? 0 : 250,
    )
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [frame, deploymentId, folderId, search, pages, turn])

  const reload = useCallback(() => setTurn(count => count + 1), [])
  const more = useCallback(() => setPages(count => count + 1), [])
  return { listing, reload, more }
}
