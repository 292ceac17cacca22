import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** Pixels from the end at which somebody still reads there. */
const near = 120

/**
 * Keeps the end of what grows in sight while the reader is there, and leaves him alone where he scrolled away from it. What grows may do
 * so at any time: a chart is drawn, a picture comes, a step is folded out.
 *
 * @param scroller the box that scrolls; its first child grows.
 * @param asked how often something was asked: whoever asks wants to see the answer, wherever he has read.
 */
export function useAtEnd(scroller: RefObject<HTMLElement | null>, asked: number) {
  const [isAtEnd, setAtEnd] = useState(true)
  const follows = useRef(true)

  useEffect(() => {
    const box = scroller.current
    const content = box?.firstElementChild
    if (!box || !content) return
    let last = box.scrollTop
    const onScroll = () => {
      const isNear = below(box) < near
      // Only whoever reads scrolls back.
      if (isNear) follows.current = true
      else if (box.scrollTop < last) follows.current = false
      last = box.scrollTop
      setAtEnd(isNear)
    }
    const observer = new ResizeObserver(() => {
      if (follows.current) box.scrollTop = box.scrollHeight
      setAtEnd(below(box) < near)
    })
    box.addEventListener('scroll', onScroll, { passive: true })
    observer.observe(content)
    observer.observe(box)
    return () => {
      box.removeEventListener('scroll', onScroll)
      observer.disconnect()
    }
  }, [scroller])

  useEffect(() => {
    const box = scroller.current
    if (asked === 0 || !box) return
    follows.current = true
    box.scrollTop = box.scrollHeight
  }, [scroller, asked])

  const goToEnd = useCallback(() => {
    follows.current = true
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight, behavior: 'smooth' })
  }, [scroller])
  return { isAtEnd, goToEnd }
}

/** Pixels that are hidden below what is seen of a box. */
const below = ({ scrollHeight, clientHeight, scrollTop }: HTMLElement): number =>
  scrollHeight - clientHeight - scrollTop
