import { type RefObject, useLayoutEffect, useState } from 'react'

/** How wide an element is inside, in pixels, as it changes. */
export function useRoom(element: RefObject<HTMLElement | null>): number {
  const [room, setRoom] = useState(0)
  useLayoutEffect(() => {
    const box = element.current
    if (!box) return
    setRoom(box.clientWidth)
    const observer = new ResizeObserver(() => setRoom(box.clientWidth))
    observer.observe(box)
    return () => observer.disconnect()
  }, [element])
  return room
}
