import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import type { Tab } from '../model/widgets.ts'

/**
 * The tabs of a container (WAI-ARIA Tabs): arrows, Home and End go through them.
 *
 * @param props.base of the ids in the page: `{base}-tab-{index}`, and `{base}-panel` of what the chosen one shows.
 */
export function TabStrip(props: {
  readonly base: string
  readonly containerId: string
  readonly label: string | undefined
  readonly tabs: readonly Tab[]
  readonly chosen: number
  readonly onChoose: (index: number) => void
  /** Given where tabs can be put into another order: by the pointer, and by Shift and arrows. */
  readonly onMove?: ((from: number, to: number) => void) | undefined
}) {
  const { base, containerId, label, tabs, chosen, onChoose, onMove } = props
  const strip = useRef<HTMLDivElement>(null)
  const buttons = () => [...(strip.current?.querySelectorAll<HTMLElement>('[role=tab]') ?? [])]

  const onKeyDown = (event: KeyboardEvent) => {
    const last = tabs.length - 1
    const to = { ArrowRight: chosen + 1, ArrowLeft: chosen - 1, Home: 0, End: last }[event.key]
    if (to === undefined) return
    event.preventDefault()
    if (event.shiftKey) {
      if (to >= 0 && to <= last) onMove?.(chosen, to)
      return
    }
    const next = (to + tabs.length) % tabs.length
    onChoose(next)
    buttons()[next]?.focus()
  }
  const drag = (from: number) => (event: PointerEvent<HTMLElement>) => {
    if (onMove === undefined) return
    const handle = event.currentTarget
    let at = from
    handle.setPointerCapture(event.pointerId)
    const follow = ({ clientX }: globalThis.PointerEvent) => {
      // Past the middle of a neighbour: else two of unlike width would change places again and again.
      const middles = buttons()
        .map(button => button.getBoundingClientRect())
        .map(({ left, width }) => left + width / 2)
      const to = middles.findIndex(
        (middle, index) => (index < at && clientX < middle) || (index > at && clientX > middle),
      )
      if (to < 0) return
      onMove(at, to)
      at = to
    }
    const end = () => {
      handle.removeEventListener('pointermove', follow)
      handle.removeEventListener('pointerup', end)
      handle.removeEventListener('pointercancel', end)
    }
    handle.addEventListener('pointermove', follow)
    handle.addEventListener('pointerup', end)
    handle.addEventListener('pointercancel', end)
  }
  return (
    <div role="tablist" className="board-tabs" aria-label={label} ref={strip}>
      {tabs.map((tab, index) => (
        <button
          key={tab.id}
          id={`${base}-tab-${index}`}
          type="button"
          role="tab"
          aria-selected={index === chosen}
          aria-controls={`${base}-panel`}
          tabIndex={index === chosen ? 0 : -1}
          data-container={containerId}
          data-tab={tab.id}
          onClick={() => onChoose(index)}
          onKeyDown={onKeyDown}
          onPointerDown={drag(index)}
        >
          {tab.title}
        </button>
      ))}
    </div>
  )
}
