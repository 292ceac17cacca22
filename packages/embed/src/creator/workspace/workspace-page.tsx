import type { WorkspaceItem } from '@hedron/contract'
import { Button, EmptyState, ErrorState, formatAge, formatMoment, Icon, Skeleton, useLocale } from '@hedron/ui'
import { useState } from 'react'
import { MenuButton } from '../../dashboard/widgets/menu-button.tsx'
import { useFrame } from '../../frame/frame-context.tsx'
import { useCreator } from '../creator-context.ts'
import { DeleteDialog, MoveDialog, NameDialog } from './item-dialogs.tsx'
import { useWorkspace } from './use-workspace.ts'

type Dialog =
  | { readonly kind: 'folder' }
  | { readonly kind: 'rename' | 'move' | 'delete'; readonly item: WorkspaceItem }

/** What somebody has, and what is shared, in folders. */
export function WorkspacePage({ folderId }: { readonly folderId: number | null }) {
  const { frame, config } = useFrame()
  const { deploymentId, router, texts } = useCreator()
  const { t, locale } = useLocale()
  const [search, setSearch] = useState('')
  const { listing, reload, more } = useWorkspace(folderId, search.trim())
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const [problem, setProblem] = useState('')
  const params = { deploymentId }
  const into = folderId === null ? {} : { folderId }

  const tell = (work: Promise<unknown>) => {
    setProblem('')
    work.catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)))
  }
  const make = async () => {
    const { id } = await frame.api.createWorkbook({ params, body: { name: texts.untitled, ...into } })
    router.go(`/workbook/${id}`)
  }
  const open = async (item: WorkspaceItem, isOwn: boolean) => {
    if (item.type === 'FOLDER') return router.go(`/folder/${item.id}`)
    if (isOwn) return router.go(`/workbook/${item.id}`)
    const { publishedDashboard } = await frame.api.getWorkbook({ params: { deploymentId, workbookId: item.id } })
    router.go(publishedDashboard ? `/dashboard/${publishedDashboard.publicId}` : `/workbook/${item.id}`)
  }
  const rename = ({ type, id }: WorkspaceItem, name: string): Promise<unknown> =>
    type === 'FOLDER'
      ? frame.api.updateFolder({ params: { deploymentId, folderId: id }, body: { name } })
      : frame.api.updateWorkbook({ params: { deploymentId, workbookId: id }, body: { name } })
  const done = () => {
    setDialog(null)
    reload()
  }

  const { showWorkspaceTitle, workspaceTitle, localizedTitles } = config.creatorMode
  const title = localizedTitles.find(each => each.locale === locale)?.value ?? workspaceTitle ?? texts.workspace
  const list = (items: readonly WorkspaceItem[], heading: string, isOwn: boolean) =>
    items.length > 0 && (
      <section className="creator-list">
        <h2>{heading}</h2>
        <ul>
          {items.map(item => (
            <li key={`${item.type} ${item.id}`}>
              <button type="button" onClick={() => tell(open(item, isOwn))}>
                <Icon name={item.type === 'FOLDER' ? 'folder' : 'chart'} />
                <b>{item.name}</b>
                <time dateTime={item.updatedAt} title={formatMoment(Date.parse(item.updatedAt), locale)}>
                  {formatAge(Date.parse(item.updatedAt), Date.now(), locale)}
                </time>
              </button>
              {isOwn && (
                <MenuButton
                  icon="more"
                  label={`${t('more')}: ${item.name}`}
                  items={[
                    { label: t('rename'), run: () => setDialog({ kind: 'rename', item }) },
                    { label: texts.move, run: () => setDialog({ kind: 'move', item }) },
                    ...(item.type === 'WORKBOOK'
                      ? [{ label: t('duplicate'), run: () => router.go(`/copy/${item.id}`) }]
                      : []),
                    { label: t('remove'), run: () => setDialog({ kind: 'delete', item }) },
                  ]}
                />
              )}
            </li>
          ))}
        </ul>
      </section>
    )
  return (
    <main className="creator">
      <header className="creator-head">
        {showWorkspaceTitle && <h1>{title}</h1>}
        <input
          type="search"
          className="creator-search"
          aria-label={t('search')}
          placeholder={t('search')}
          maxLength={255}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
        <Button icon="folder" onClick={() => setDialog({ kind: 'folder' })}>
          {texts.newFolder}
        </Button>
        <Button look="primary" icon="plus" onClick={() => tell(make())}>
          {texts.newWorkbook}
        </Button>
      </header>
      {problem !== '' && (
        <p className="creator-problem" role="alert">
          {problem}
        </p>
      )}
      {folderId !== null && (
        <nav className="creator-path" aria-label={texts.folder}>
          <button type="button" onClick={() => router.go('')}>
            {texts.workspace}
          </button>
          {listing !== null &&
            !(listing instanceof Error) &&
            listing.path.map(({ id, name }) => (
              <button
                key={id}
                type="button"
                aria-current={id === folderId ? 'page' : undefined}
                onClick={() => router.go(`/folder/${id}`)}
              >
                {name}
              </button>
            ))}
        </nav>
      )}
      {listing === null && <Skeleton shape="table" />}
      {listing instanceof Error && <ErrorState message={listing.message} onRetry={reload} />}
      {listing !== null && !(listing instanceof Error) && (
        <>
          {list(listing.own, texts.yours, true)}
          {list(listing.shared, texts.shared, false)}
          {listing.own.length + listing.shared.length === 0 && (
            <EmptyState title={t('emptyTitle')} hint={search === '' ? texts.empty : texts.nothingFound} />
          )}
          {listing.hasMore && (
            <Button look="quiet" onClick={more}>
              {t('more')}
            </Button>
          )}
        </>
      )}
      {dialog?.kind === 'folder' && (
        <NameDialog
          label={texts.newFolder}
          initial=""
          save={name =>
            frame.api.createFolder({ params, body: { name, ...(folderId === null ? {} : { parentId: folderId }) } })
          }
          onDone={done}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog?.kind === 'rename' && (
        <NameDialog
          label={t('rename')}
          initial={dialog.item.name}
          save={name => rename(dialog.item, name)}
          onDone={done}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog?.kind === 'move' && <MoveDialog item={dialog.item} onDone={done} onClose={() => setDialog(null)} />}
      {dialog?.kind === 'delete' && <DeleteDialog item={dialog.item} onDone={done} onClose={() => setDialog(null)} />}
    </main>
  )
}
