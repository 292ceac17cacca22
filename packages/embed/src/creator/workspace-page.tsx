import type { WorkspaceItem } from '@hedron/contract'
import { Button, EmptyState, ErrorState, Skeleton, useLocale } from '@hedron/ui'
import { useEffect, useState } from 'react'
import { useFrame } from '../frame/frame-context.tsx'
import { useCreator } from './creator-context.ts'

interface Lists {
  readonly own: readonly WorkspaceItem[]
  readonly shared: readonly WorkspaceItem[]
}

/** What somebody has, and what is shared with everybody. */
export function WorkspacePage() {
  const { frame, config } = useFrame()
  const { deploymentId, router, texts } = useCreator()
  const { t, locale } = useLocale()
  const [lists, setLists] = useState<Lists | Error | null>(null)
  const [attempt, setAttempt] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt asks anew
  useEffect(() => {
    const stop = new AbortController()
    const request = { params: { deploymentId }, query: { first: 200 } }
    Promise.all([
      frame.api.workspaceObjects(request, stop.signal),
      frame.api.sharedWorkspaceObjects(request, stop.signal),
      frame.api.getMe({}, stop.signal),
    ]).then(
      ([workspace, shared, me]) => {
        // What others of the embed tenant share stands in the workspace as well.
        const all = new Map([...shared.items, ...workspace.items].map(item => [`${item.type} ${item.id}`, item]))
        const isOwn = (item: WorkspaceItem) => 'userId' in item && item.userId === me.id
        const items = [...all.values()]
        setLists({ own: items.filter(isOwn), shared: items.filter(item => !isOwn(item)) })
      },
      error => stop.signal.aborted || setLists(error instanceof Error ? error : new Error(String(error))),
    )
    return () => stop.abort()
  }, [frame, deploymentId, attempt])

  const make = async () => {
    const { id } = await frame.api.createWorkbook({ params: { deploymentId }, body: { name: texts.untitled } })
    router.go(`/workbook/${id}`)
  }
  const open = async (item: WorkspaceItem, isShared: boolean) => {
    if (!isShared) return router.go(`/workbook/${item.id}`)
    const { publishedDashboard } = await frame.api.getWorkbook({ params: { deploymentId, workbookId: item.id } })
    router.go(publishedDashboard ? `/dashboard/${publishedDashboard.publicId}` : `/workbook/${item.id}`)
  }
  const { showWorkspaceTitle, workspaceTitle, localizedTitles } = config.creatorMode
  const title = localizedTitles.find(each => each.locale === locale)?.value ?? workspaceTitle ?? texts.workspace
  const list = (items: readonly WorkspaceItem[], heading: string, isShared: boolean) =>
    items.length > 0 && (
      <section className="creator-list">
        <h2>{heading}</h2>
        <ul>
          {items
            .filter(({ type }) => type === 'WORKBOOK')
            .map(item => (
              <li key={item.id}>
                <button type="button" onClick={() => void open(item, isShared)}>
                  <b>{item.name}</b>
                  <span>
                    {new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(new Date(item.updatedAt))}
                  </span>
                </button>
              </li>
            ))}
        </ul>
      </section>
    )
  return (
    <main className="creator">
      <header className="creator-head">
        {showWorkspaceTitle && <h1>{title}</h1>}
        <Button look="primary" icon="plus" onClick={() => void make()}>
          {texts.newWorkbook}
        </Button>
      </header>
      {lists === null && <Skeleton shape="table" />}
      {lists instanceof Error && <ErrorState message={lists.message} onRetry={() => setAttempt(attempt + 1)} />}
      {lists !== null && !(lists instanceof Error) && (
        <>
          {list(lists.own, texts.yours, false)}
          {list(lists.shared, texts.shared, true)}
          {lists.own.length + lists.shared.length === 0 && <EmptyState title={t('emptyTitle')} hint={texts.empty} />}
        </>
      )}
    </main>
  )
}
