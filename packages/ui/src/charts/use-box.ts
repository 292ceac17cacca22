import { type RefObject, useLayoutEffect, useState } from 'react'

/** How large an element is inside, in whole pixels, once it has stopped changing. */
export function useBox(element: RefObject<HTMLElement | null>): { readonly width: number; readonly height: number } {
  const [box, setBox] = useState({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const target = element.current
    if (!target) return
    const measure = () => {
      const [width, height] = [target.clientWidth, target.clientHeight]
      setBox(before => (before.width === width && before.height === height ? before : { width, height }))
    }
    measure()
    let timer: ReturnType<typeof setTimeout> | undefined
    const observer = new ResizeObserver(() => {
      clearTimeout(timer)
      timer = setTimeout(measure, 60)
    })
    observer.observe(target)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [element])
  return box
}
