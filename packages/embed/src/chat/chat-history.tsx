import type { ChatThread } from '@hedron/contract'
import { Button, ErrorState, formatAge, IconButton, Notice, Skeleton, useLocale } from '@hedron/ui'
import { useEffect, useRef, useState } from 'react'
import type { Frame } from '../frame/frame.ts'

const page = 30
/** How long a deletion can be taken back, in milliseconds. */
const undoFor = 6000

interface HistoryProps {
  readonly frame: Frame
  readonly deploymentId: number
  readonly current: string | null
  /** Changes when a conversation has something new. */
  readonly version: number
  readonly onOpen: (chatId: string) => void
  readonly onDeleted: (chatId: string) => void
}

/** The viewer's own threads, the latest first; searched by their words, deleted with a way back. */
export function ChatHistory({ frame, deploymentId, current, version, onOpen, onDeleted }: HistoryProps) {
  const { t, locale } = useLocale()
  const [search, setSearch] = useState('')
  const [threads, setThreads] = useState<readonly ChatThread[] | null>(null)
  const [after, setAfter] = useState<string | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const [turn, setTurn] = useState(0)
  const [deleting, setDeleting] = useState<ChatThread | null>(null)
  const pending = useRef<{ readonly id: string; readonly timer: ReturnType<typeof setTimeout> } | null>(null)
  const shown = threads?.filter(({ id }) => id !== deleting?.id) ?? null

  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` and `turn` ask anew
  useEffect(() => {
    const stop = new AbortController()
    const timer = setTimeout(
      () => {
        frame.api
          .listChatThreads(
            { params: { deploymentId }, query: { first: page, ...(search === '' ? {} : { search }) } },
            stop.signal,
          )
          .then(
            ({ items, pageInfo }) => {
              setThreads(items)
              setAfter(pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null)
              setError(null)
            },
            (failure: unknown) => {
              if (!stop.signal.aborted) setError(failure instanceof Error ? failure : new Error(String(failure)))
            },
          )
      },
      search === '' ? 0 : 250,
    )
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [frame, deploymentId, search, version, turn])

  // biome-ignore lint/correctness/useExhaustiveDependencies: at the end alone; what is deleted stays deleted when the list is closed before its time
  useEffect(() => () => finish(), [])

  function finish() {
    const now = pending.current
    if (!now) return
    clearTimeout(now.timer)
    pending.current = null
    frame.api.deleteChatThread({ params: { deploymentId, chatThreadId: now.id } }).catch((failure: unknown) => {
      frame.host.emit('error', { message: String(failure), name: 'DeleteFailed', context: 'chat' })
      setTurn(before => before + 1)
    })
  }

  function remove(thread: ChatThread) {
    finish()
    setDeleting(thread)
    if (thread.id === current) onDeleted(thread.id)
    const timer = setTimeout(() => {
      finish()
      setThreads(before => before?.filter(({ id }) => id !== thread.id) ?? null)
      setDeleting(null)
    }, undoFor)
    pending.current = { id: thread.id, timer }
  }

  function undo() {
    if (pending.current) clearTimeout(pending.current.timer)
    pending.current = null
    setDeleting(null)
  }

  function more(cursor: string) {
    const query = { first: page, after: cursor, ...(search === '' ? {} : { search }) }
    frame.api.listChatThreads({ params: { deploymentId }, query }).then(
      ({ items, pageInfo }) => {
        setThreads(before => [...(before ?? []), ...items])
        setAfter(pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null)
      },
      (failure: unknown) => setError(failure instanceof Error ? failure : new Error(String(failure))),
    )
  }

  return (
    <nav className="chat-history" aria-label={t('chatHistory')}>
      <input
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        value={search}
        maxLength={500}
        onChange={event => setSearch(event.target.value)}
      />
      {deleting && (
        <Notice
          action={
            <Button look="quiet" onClick={undo}>
              {t('undo')}
            </Button>
          }
        >
          {t('chatDeleted')}
        </Notice>
      )}
      {error && <ErrorState title={t('chatsFailed')} message={error.message} onRetry={() => setTurn(turn + 1)} />}
      {!error && shown === null && <Skeleton shape="text" />}
      {!error && shown?.length === 0 && <p className="hd-muted">{t('chatsEmpty')}</p>}
      <ul>
        {shown?.map(thread => (
          <li key={thread.id} aria-current={thread.id === current || undefined}>
            <button type="button" className="chat-thread" title={thread.title} onClick={() => onOpen(thread.id)}>
              <span>{thread.title}</span>
              <time className="hd-muted" dateTime={thread.updatedAt}>
                {formatAge(Date.parse(thread.updatedAt), Date.now(), locale)}
              </time>
            </button>
            <IconButton icon="trash" label={t('deleteChat')} onClick={() => remove(thread)} />
          </li>
        ))}
      </ul>
      {after !== null && (
        <Button look="quiet" onClick={() => more(after)}>
          {t('more')}
        </Button>
      )}
    </nav>
  )
}
