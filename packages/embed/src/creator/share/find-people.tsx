import { useLocale } from '@hedron/ui'
import { useEffect, useState } from 'react'
import { useFrame } from '../../frame/frame-context.tsx'
import { useCreator } from '../creator-context.ts'

const pause = 200
const most = 8

/** Somebody of the own embed tenant, or a group of it. */
interface Found {
  readonly kind: 'user' | 'group'
  readonly id: number
  readonly name: string
}

/** Finds people and groups to share with by what is typed; nobody of another embed tenant is among them. */
export function FindPeople(props: {
  readonly workbookId: number
  readonly onFound: (kind: Found['kind'], id: number) => void
}) {
  const { workbookId, onFound } = props
  const { texts } = useCreator()
  const { t } = useLocale()
  const [typed, setTyped] = useState('')
  const { found, problem } = useFound(workbookId, typed.trim())
  return (
    <div className="creator-share-found">
      <input
        type="search"
        aria-label={texts.shareWith}
        placeholder={texts.shareWith}
        maxLength={255}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      {problem !== '' && <p role="alert">{problem}</p>}
      {found !== null && (
        <ul className="creator-folders">
          {found.map(({ kind, id, name }) => (
            <li key={`${kind} ${id}`}>
              <button
                type="button"
                onClick={() => {
                  setTyped('')
                  onFound(kind, id)
                }}
              >
                {kind === 'group' ? `${texts.group}: ${name}` : name}
              </button>
            </li>
          ))}
          {found.length === 0 && <li className="hd-muted">{t('noSuggestions')}</li>}
        </ul>
      )}
    </div>
  )
}

/** Null: nothing was typed, or the answer is under way. */
function useFound(resourceId: number, search: string) {
  const { frame } = useFrame()
  const [state, setState] = useState<{ readonly found: readonly Found[] | null; readonly problem: string }>({
    found: null,
    problem: '',
  })
  useEffect(() => {
    setState({ found: null, problem: '' })
    if (search === '') return
    const stop = new AbortController()
    const query = { resourceType: 'Workbook', resourceId, search, first: most } as const
    const read = async () => {
      const [users, groups] = await Promise.all([
        frame.api.listShareableUsers({ query }, stop.signal),
        frame.api.listShareableGroups({ query }, stop.signal),
      ])
      const people = users.items.map(({ id, firstName, username }) => ({
        kind: 'user' as const,
        id,
        name: firstName === null ? username : `${firstName} (${username})`,
      }))
      // That of the whole tenant has a button of its own.
      const custom = groups.items.filter(({ name }) => !name.startsWith('system:'))
      setState({
        found: [...people, ...custom.map(({ id, name }) => ({ kind: 'group' as const, id, name }))],
        problem: '',
      })
    }
    const timer = setTimeout(
      () =>
        void read().catch((error: unknown) => {
          if (!stop.signal.aborted)
            setState({ found: null, problem: error instanceof Error ? error.message : String(error) })
        }),
      pause,
    )
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [frame, resourceId, search])
  return state
}
