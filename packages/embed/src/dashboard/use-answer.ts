import { useEffect, useRef, useState } from 'react'
import type { DataClient } from '../frame/data-client.ts'
import { type Answer, ask } from './model/ask.ts'
import type { Question } from './model/question.ts'
import type { Turn } from './turn.ts'

/** How one widget stands; what it showed before stays while it asks anew. */
export interface AnswerState {
  readonly answer: Answer | null
  /** What `answer` answers: while another question is asked, the one before. */
  readonly answered: Question | null
  readonly error: Error | null
  readonly isAsking: boolean
}

/** A question under way. */
interface Running {
  readonly stop: AbortController
  readonly key: string
  readonly data: DataClient
  readonly timezone: string | undefined
}

const notWanted = () => new DOMException('not wanted any more', 'AbortError')

/**
 * Asks a question when it changes and whenever `turn` does. Asking again ends what is under way, but for a refresh that wants nothing newer: else one
 * that comes more often than the source answers would never have an answer, nor an error.
 *
 * @param turn of everything on the board: when it changes, rows have to be as new as it says.
 * @param onSettled called when there is an answer or none will come.
 */
export function useAnswer(
  data: DataClient,
  question: Question,
  timezone: string | undefined,
  turn: Turn,
  onSettled: (error: Error | null) => void,
): AnswerState {
  const [state, setState] = useState<AnswerState>({ answer: null, answered: null, error: null, isAsking: true })
  const settled = useRef(onSettled)
  settled.current = onSettled
  const key = JSON.stringify(question.kind === 'load' ? question.query : question)
  const asked = useRef(turn)
  const running = useRef<Running | null>(null)
  const latest = useRef(question)
  latest.current = question

  useEffect(() => {
    const isRefresh = asked.current !== turn
    asked.current = turn
    const before = running.current
    const isSame = before?.key === key && before.data === data && before.timezone === timezone
    if (isRefresh && isSame && turn.cache === 'must-revalidate') return
    before?.stop.abort(notWanted())
    const stop = new AbortController()
    const asking = latest.current
    running.current = { stop, key, data, timezone }
    setState(shown => ({ ...shown, isAsking: true }))
    ask(data, asking, timezone, { signal: stop.signal, ...(isRefresh ? { cache: turn.cache } : {}) }).then(
      answer => {
        if (stop.signal.aborted) return
        running.current = null
        setState({ answer, answered: asking, error: null, isAsking: false })
        settled.current(null)
      },
      error => {
        if (stop.signal.aborted) return
        running.current = null
        const fault = error instanceof Error ? error : new Error(String(error))
        // What is shown stays beside the error where it is the same question that failed.
        setState(before => ({ ...before, answer: isRefresh ? before.answer : null, error: fault, isAsking: false }))
        settled.current(fault)
      },
    )
  }, [data, key, timezone, turn])
  useEffect(() => () => running.current?.stop.abort(notWanted()), [])
  return state
}
