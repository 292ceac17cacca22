import type { DashboardWidget } from '@hedron/contract'
import { type CSSProperties, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useBoard } from './board.ts'
import type { Widget } from './model/widgets.ts'
import './grid.css'

const usual = { columns: 12, rowHeight: 32, gap: 12 } as const
/** Below this width widgets stand one under the other, unless the dashboard has a layout for it. */
const narrow = 640
const breakpoints = [
  ['lg', 1200],
  ['md', 996],
  ['sm', 768],
  ['xs', 480],
  ['xxs', 0],
] as const
type Breakpoint = (typeof breakpoints)[number][0]

/** Widgets in the places that the dashboard gives them, for the width that there is. */
export function Grid(props: {
  readonly widgets: readonly Widget[]
  /** Draws what stands in a place. */
  readonly view: (widget: Widget) => ReactNode
  readonly isInner?: boolean
}) {
  const { widgets, view, isInner = false } = props
  const { layout } = useBoard()
  const element = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return
    setWidth(current.clientWidth)
    const observer = new ResizeObserver(() => setWidth(current.clientWidth))
    observer.observe(current)
    return () => observer.disconnect()
  }, [])

  const point = breakpointOf(width, layout?.breakpoints)
  const ofPoint = point !== 'lg' && widgets.some(({ source }) => source.responsiveLayouts?.[point])
  const isStacked = !ofPoint && width > 0 && width < narrow
  const columns = (ofPoint ? layout?.cols?.[point] : layout?.cols?.lg) ?? layout?.cols?.lg ?? usual.columns
  const [gapX = usual.gap, gapY = gapX] = layout?.margin ?? []
  const rowHeight = layout?.rowHeight ?? usual.rowHeight
  const [paddingX = 0, paddingY = 0] = layout?.containerPadding ?? []
  const style: CSSProperties = {
    gap: `${gapY}px ${gapX}px`,
    padding: isInner ? 0 : `${paddingY}px ${paddingX}px`,
    gridTemplateColumns: isStacked ? '1fr' : `repeat(${columns}, minmax(0, 1fr))`,
    gridAutoRows: isStacked ? 'auto' : rowHeight,
  }
  return (
    <div className="board-grid" ref={element} style={style} data-stacked={isStacked}>
      {width > 0 &&
        widgets.map(widget => (
          <div
            key={widget.id}
            className="board-cell"
            data-kind={widget.kind}
            style={isStacked ? stacked(widget, rowHeight + gapY) : placed(widget.source, ofPoint ? point : null)}
          >
            {view(widget)}
          </div>
        ))}
    </div>
  )
}

function breakpointOf(
  width: number,
  given: Readonly<Partial<Record<Breakpoint, number | null | undefined>>> | null | undefined,
): Breakpoint {
  return breakpoints.find(([name, least]) => width >= (given?.[name] ?? least))?.[0] ?? 'xxs'
}

function placed(source: DashboardWidget, point: Breakpoint | null): CSSProperties {
  const { x, y, w, h } = (point === null ? null : source.responsiveLayouts?.[point]) ?? source.position
  return { gridColumn: `${x + 1} / span ${w}`, gridRow: `${y + 1} / span ${h}` }
}

/** One under the other, in reading order; what draws into its box keeps the height that it was given. */
function stacked({ kind, source }: Widget, row: number): CSSProperties {
  if (kind === 'control' || kind === 'line' || kind === 'text' || kind === 'summary') return {}
  if (kind === 'space') return { display: 'none' }
  return kind === 'container' ? {} : { height: Math.max(120, source.position.h * row) }
}
