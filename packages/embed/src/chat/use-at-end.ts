import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/**
 * Keeps the end of what grows in sight while the reader is there, and leaves him alone where he scrolled away from it.
 *
 * @param content changes with what is shown
 */
export function useAtEnd(end: RefObject<HTMLElement | null>, content: unknown) {
  const [isAtEnd, setAtEnd] = useState(true)
  const follows = useRef(true)

  useEffect(() => {
    const target = end.current
    if (!target) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return
        follows.current = entry.isIntersecting
        setAtEnd(entry.isIntersecting)
      },
      { rootMargin: '0px 0px 120px 0px' },
    )
    observer.observe(target)
    return () => observer.disconnect()
  }, [end])

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is new is what moves the end
  useEffect(() => {
    if (follows.current) end.current?.scrollIntoView({ block: 'nearest' })
  }, [end, content])

  const goToEnd = useCallback(() => {
    follows.current = true
    end.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
  }, [end])
  return { isAtEnd, goToEnd }
}
