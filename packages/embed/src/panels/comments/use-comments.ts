import type { DashboardCommentThread } from '@hedron/contract'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useFrame } from '../../frame/frame-context.tsx'

/** How often threads that are seen are asked for anew, in milliseconds. */
const refreshEvery = 15_000
const threadsAtOnce = 30

export interface Comments {
  /** Null until they are known. */
  readonly threads: readonly DashboardCommentThread[] | null
  readonly error: Error | null
  readonly hasMore: boolean
  more(): void
  retry(): void
  begin(body: string): Promise<void>
  reply(threadId: number, body: string): Promise<void>
  edit(commentId: number, body: string): Promise<void>
  remove(commentId: number): Promise<void>
  resolve(threadId: number, resolved: boolean): Promise<void>
}

/** The threads of a dashboard, of the viewer's own embed tenant; others' words come by themselves while the page is seen. */
export function useComments(publicId: string, includeResolved: boolean): Comments {
  const { frame } = useFrame()
  const { api } = frame
  const [threads, setThreads] = useState<readonly DashboardCommentThread[] | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const [shown, setShown] = useState(threadsAtOnce)
  const [hasMore, setMore] = useState(false)
  const asked = useRef<AbortController | null>(null)

  const read = useCallback(async () => {
    asked.current?.abort()
    const stop = new AbortController()
    asked.current = stop
    try {
      let items: readonly DashboardCommentThread[] = []
      let after: string | undefined
      for (;;) {
        const first = Math.min(100, shown - items.length)
        const query = { includeResolved, first, ...(after === undefined ? {} : { after }) }
        const page = await api.listDashboardComments({ params: { publicId }, query }, stop.signal)
        items = [...items, ...page.items]
        after = page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? undefined) : undefined
        if (after === undefined || items.length >= shown) break
      }
      setThreads(items)
      setMore(after !== undefined)
      setError(null)
    } catch (fault) {
      if (!stop.signal.aborted) setError(fault instanceof Error ? fault : new Error(String(fault)))
    }
  }, [api, publicId, includeResolved, shown])

  useEffect(() => {
    void read()
    const timer = setInterval(() => document.visibilityState === 'visible' && void read(), refreshEvery)
    return () => {
      clearInterval(timer)
      asked.current?.abort()
    }
  }, [read])

  const params = { publicId }
  return {
    threads,
    error,
    hasMore,
    more: () => setShown(count => count + threadsAtOnce),
    retry: () => void read(),
    begin: body => api.createDashboardComment({ params, body: { body } }).then(read),
    reply: (parentId, body) => api.createDashboardComment({ params, body: { body, parentId } }).then(read),
    edit: (commentId, body) =>
      api.updateDashboardComment({ params: { ...params, commentId }, body: { body } }).then(read),
    remove: commentId => api.removeDashboardComment({ params: { ...params, commentId } }).then(read),
    resolve: (commentId, resolved) =>
      api.setDashboardCommentResolved({ params: { ...params, commentId }, body: { resolved } }).then(read),
  }
}
