import { useEffect, useRef, useState } from 'react'

/**
 * A value that changes with every word, a few times a second: drawing text anew takes longer than a word does.
 *
 * @param pace milliseconds between two changes of what is returned.
 */
export function usePaced<Value>(value: Value, pace: number): Value {
  const [shown, setShown] = useState(value)
  const latest = useRef(value)
  latest.current = value
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => {
    if (shown === value || timer.current !== undefined) return
    timer.current = setTimeout(() => {
      timer.current = undefined
      setShown(latest.current)
    }, pace)
  }, [shown, value, pace])
  useEffect(() => () => clearTimeout(timer.current), [])
  return shown
}
