import type { Folder, WorkspaceItem } from '@hedron/contract'
import { ErrorState, Skeleton, useLocale } from '@hedron/ui'
import { useEffect, useState } from 'react'
import { useFrame } from '../../frame/frame-context.tsx'
import { useCreator } from '../creator-context.ts'
import { Sheet } from '../sheet.tsx'

interface DialogProps {
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Work that can fail, which is said where it was begun. */
function useWork(onDone: () => void) {
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const run = (work: () => Promise<unknown>) => {
    setBusy(true)
    setProblem('')
    work().then(onDone, (error: unknown) => {
      setProblem(error instanceof Error ? error.message : String(error))
      setBusy(false)
    })
  }
  const alert = problem === '' ? null : <p role="alert">{problem}</p>
  return { run, isBusy, alert }
}

/** Asks for a name: of a new folder, or the next one of an item. */
export function NameDialog(
  props: {
    readonly label: string
    readonly initial: string
    readonly save: (name: string) => Promise<unknown>
  } & DialogProps,
) {
  const { label, initial, save, onDone, onClose } = props
  const { texts } = useCreator()
  const [name, setName] = useState(initial)
  const { run, isBusy, alert } = useWork(onDone)
  return (
    <Sheet
      label={label}
      onClose={onClose}
      canSave={!isBusy && name.trim() !== ''}
      onSave={() => run(() => save(name.trim()))}
    >
      <div className="creator-fields">
        <input aria-label={texts.name} maxLength={255} value={name} onChange={({ target }) => setName(target.value)} />
        {alert}
      </div>
    </Sheet>
  )
}

/** Puts an item into another folder, one level after the other. */
export function MoveDialog({ item, onDone, onClose }: { readonly item: WorkspaceItem } & DialogProps) {
  const { frame } = useFrame()
  const { deploymentId, texts } = useCreator()
  const { t } = useLocale()
  const [path, setPath] = useState<readonly Folder[]>([])
  const [folders, setFolders] = useState<readonly Folder[] | Error | null>(null)
  const { run, isBusy, alert } = useWork(onDone)
  const here = path.at(-1)?.id ?? 0

  useEffect(() => {
    const stop = new AbortController()
    setFolders(null)
    const read = async () => {
      let found: readonly Folder[] = []
      let after: string | undefined
      do {
        const query = { first: 1000, parentId: here, ...(after === undefined ? {} : { after }) }
        const { items, pageInfo } = await frame.api.getFolders({ params: { deploymentId }, query }, stop.signal)
        found = [...found, ...items]
        after = pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined
      } while (after !== undefined)
      // A folder does not go into itself.
      setFolders(found.filter(({ id }) => !(item.type === 'FOLDER' && id === item.id)))
    }
    read().catch((error: unknown) => {
      if (!stop.signal.aborted) setFolders(error instanceof Error ? error : new Error(String(error)))
    })
    return () => stop.abort()
  }, [frame, deploymentId, here, item])

  return (
    <Sheet
      label={`${texts.move}: ${item.name}`}
      saveLabel={texts.moveHere}
      onClose={onClose}
      canSave={!isBusy}
      onSave={() =>
        run(() =>
          frame.api.moveWorkspaceObject({
            params: { deploymentId },
            body: { type: item.type, id: item.id, folderId: here },
          }),
        )
      }
    >
      <nav className="creator-path" aria-label={texts.folder}>
        <button type="button" onClick={() => setPath([])}>
          {texts.workspace}
        </button>
        {path.map((folder, at) => (
          <button key={folder.id} type="button" onClick={() => setPath(path.slice(0, at + 1))}>
            {folder.name}
          </button>
        ))}
      </nav>
      {folders === null && <Skeleton shape="text" />}
      {folders instanceof Error && <ErrorState message={folders.message} />}
      {Array.isArray(folders) && (
        <ul className="creator-folders">
          {folders.map((folder: Folder) => (
            <li key={folder.id}>
              <button type="button" onClick={() => setPath([...path, folder])}>
                {folder.name}
              </button>
            </li>
          ))}
          {folders.length === 0 && <li className="hd-muted">{t('emptyTitle')}</li>}
        </ul>
      )}
      {alert}
    </Sheet>
  )
}

/** A loss that is final: the name is typed. */
export function DeleteDialog({ item, onDone, onClose }: { readonly item: WorkspaceItem } & DialogProps) {
  const { frame } = useFrame()
  const { deploymentId, texts } = useCreator()
  const { t } = useLocale()
  const [typed, setTyped] = useState('')
  const { run, isBusy, alert } = useWork(onDone)
  const remove = async () => {
    const body = { items: [{ type: item.type, id: item.id }] }
    const { failed } = await frame.api.bulkDeleteWorkspaceObjects({ params: { deploymentId }, body })
    const [first] = failed
    if (first !== undefined) throw new Error(first.error.message)
  }
  return (
    <Sheet
      label={`${t('remove')}: ${item.name}`}
      saveLabel={t('remove')}
      onClose={onClose}
      canSave={!isBusy && typed.trim() === item.name.trim()}
      onSave={() => run(remove)}
    >
      <div className="creator-fields">
        <label>
          {texts.typeName}
          <input value={typed} autoComplete="off" onChange={({ target }) => setTyped(target.value)} />
        </label>
        {alert}
      </div>
    </Sheet>
  )
}
