import { useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import type { TooltipLine } from './tooltip-lines.ts'

export interface Hovered {
  readonly lines: readonly TooltipLine[]
  readonly x: number
  readonly y: number
}

const distance = 12

/** Beside the pointer and inside the window. Everything in it is text. */
export function ChartTooltip({ lines, x, y }: Hovered) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const target = box.current
    if (!target) return
    const { offsetWidth: width, offsetHeight: height } = target
    const left = x + distance + width > window.innerWidth ? Math.max(4, x - distance - width) : x + distance
    const top = y + distance + height > window.innerHeight ? Math.max(4, y - distance - height) : y + distance
    target.style.transform = `translate(${left}px, ${top}px)`
  })
  const root = document.querySelector('.hd-root')
  return createPortal(
    <div ref={box} className="hd-tooltip" aria-hidden="true">
      {lines.slice(0, 20).map(({ title, text }) => (
        <div key={title} className="hd-tooltip-line">
          <span className="hd-muted">{title}</span>
          <span className="hd-number">{text}</span>
        </div>
      ))}
    </div>,
    root ?? document.body,
  )
}
