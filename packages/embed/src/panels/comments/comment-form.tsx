import { Button, useLocale } from '@hedron/ui'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useFrame } from '../../frame/frame-context.tsx'

/** Of a comment, in characters (the contract's limit). */
const longest = 10_000
const pause = 200

interface CommentFormProps {
  readonly publicId: string
  readonly label: string
  readonly initial?: string
  readonly send: (body: string) => Promise<void>
  readonly onCancel?: (() => void) | undefined
  readonly takesFocus?: boolean
}

/** Where a comment is written: Ctrl or Cmd and Enter sends it, `@` offers people. What could not be sent stays. */
export function CommentForm(props: CommentFormProps) {
  const { publicId, label, initial = '', send, onCancel, takesFocus = false } = props
  const { t } = useLocale()
  const [text, setText] = useState(initial)
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState('')
  const [mention, setMention] = useState<string | null>(null)
  const area = useRef<HTMLTextAreaElement>(null)
  const list = useId()
  const people = usePeople(publicId, mention)
  useEffect(() => {
    if (takesFocus) area.current?.focus()
  }, [takesFocus])

  const submit = async () => {
    const body = text.trim()
    if (body === '' || isSending) return
    setSending(true)
    try {
      await send(body)
      setText('')
      setProblem('')
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    } finally {
      setSending(false)
    }
  }
  const choose = (name: string) => {
    const { current } = area
    const end = current?.selectionStart ?? text.length
    const start = text.lastIndexOf('@', end - 1)
    setText(`${text.slice(0, start)}@${name} ${text.slice(end)}`)
    setMention(null)
    current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void submit()
    else if (event.key === 'Escape' && mention !== null) setMention(null)
    else if (event.key === 'Escape' && onCancel !== undefined) onCancel()
    else if (event.key === 'ArrowDown' && people.length > 0)
      document.getElementById(list)?.querySelector('button')?.focus()
    else return
    event.preventDefault()
  }
  return (
    <form
      className="comment-form"
      onSubmit={event => {
        event.preventDefault()
        void submit()
      }}
    >
      <textarea
        ref={area}
        rows={2}
        aria-label={label}
        placeholder={label}
        maxLength={longest}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          const [, typed] = /(?:^|\s)@(\S{0,64})$/.exec(target.value.slice(0, target.selectionStart)) ?? []
          setMention(typed ?? null)
        }}
        onKeyDown={onKeyDown}
      />
      {people.length > 0 && (
        <ul id={list} className="comment-people">
          {people.map(({ id, name }) => (
            <li key={id}>
              <button type="button" onClick={() => choose(name)}>
                {name}
              </button>
            </li>
          ))}
        </ul>
      )}
      {problem !== '' && <p role="alert">{problem}</p>}
      {(text.trim() !== '' || onCancel !== undefined) && (
        <div className="comment-form-buttons">
          {onCancel !== undefined && (
            <Button look="quiet" onClick={onCancel}>
              {t('cancel')}
            </Button>
          )}
          <Button type="submit" look="primary" disabled={isSending || text.trim() === ''}>
            {initial === '' ? t('send') : t('save')}
          </Button>
        </div>
      )}
    </form>
  )
}

/** People of the own embed tenant whose name holds what is typed; null: nobody is wanted. */
function usePeople(publicId: string, typed: string | null): readonly { readonly id: number; readonly name: string }[] {
  const { frame } = useFrame()
  const [people, setPeople] = useState<readonly { readonly id: number; readonly name: string }[]>([])
  useEffect(() => {
    if (typed === null) return setPeople([])
    const stop = new AbortController()
    const timer = setTimeout(() => {
      const query = { first: 8, ...(typed === '' ? {} : { search: typed }) }
      frame.api.listMentionableEmbedUsers({ params: { publicId }, query }, stop.signal).then(
        ({ items }) => setPeople(items.map(({ id, firstName, username }) => ({ id, name: firstName ?? username }))),
        // Names can be typed.
        () => undefined,
      )
    }, pause)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [frame, publicId, typed])
  return people
}
