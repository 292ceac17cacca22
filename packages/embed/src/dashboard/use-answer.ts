import { useEffect, useRef, useState } from 'react'
import type { DataClient } from '../frame/data-client.ts'
import { type Answer, ask } from './model/ask.ts'
import type { Question } from './model/question.ts'

/** How one widget stands; what it showed before stays while it asks anew. */
export interface AnswerState {
  readonly answer: Answer | null
  readonly error: Error | null
  readonly isAsking: boolean
}

/**
 * Asks a question when it changes and whenever `turn` does; asking again ends what is under way.
 *
 * @param turn counts refreshes; from the second on rows of now are wanted, not of the cache.
 * @param onSettled called when there is an answer or none will come.
 */
export function useAnswer(
  data: DataClient,
  question: Question,
  timezone: string | undefined,
  turn: number,
  onSettled: (error: Error | null) => void,
): AnswerState {
  const [state, setState] = useState<AnswerState>({ answer: null, error: null, isAsking: true })
  const settled = useRef(onSettled)
  settled.current = onSettled
  const key = JSON.stringify(question.kind === 'load' ? question.query : question)
  const latest = useRef(question)
  latest.current = question

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the question, which is made anew at each render
  useEffect(() => {
    const stop = new AbortController()
    setState(before => ({ ...before, isAsking: true }))
    ask(data, latest.current, timezone, { signal: stop.signal, fresh: turn > 0 }).then(
      answer => {
        if (stop.signal.aborted) return
        setState({ answer, error: null, isAsking: false })
        settled.current(null)
      },
      error => {
        if (stop.signal.aborted) return
        const fault = error instanceof Error ? error : new Error(String(error))
        setState(before => ({ answer: turn > 0 ? before.answer : null, error: fault, isAsking: false }))
        settled.current(fault)
      },
    )
    return () => stop.abort(new DOMException('not wanted any more', 'AbortError'))
  }, [data, key, timezone, turn])
  return state
}
