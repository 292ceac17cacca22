import type { DashboardWidget } from '@hedron/contract'
import type { PointerEvent } from 'react'
import { columns, placeBy } from './draft.ts'
import type { TabPlace } from './draft-tabs.ts'

type Position = DashboardWidget['position']

/** Where a widget was let go: on the page (null) or a tab, and in which cell; no cell on the tab's own button. */
export interface Drop {
  readonly into: TabPlace | null
  readonly at: { readonly x: number; readonly y: number } | null
}

/**
 * Moves or resizes a widget with the pointer, a cell of its grid at a time.
 *
 * @param cell the widget's element.
 * @param onPlace called while the pointer moves.
 * @param onDrop called where it is let go after a move; without it, it is a change of size.
 */
export function drag(
  event: PointerEvent<HTMLElement>,
  cell: HTMLElement,
  from: Position,
  onPlace: (position: Position) => void,
  onDrop?: (drop: Drop) => void,
): void {
  const grid = cell.closest<HTMLElement>('.board-grid')
  if (grid === null) return
  const handle = event.currentTarget
  handle.setPointerCapture(event.pointerId)
  const { stepX, stepY } = stepsOf(grid)
  const start = { x: event.clientX, y: event.clientY }
  let target: Element | null = null
  const mark = (next: Element | null) => {
    target?.removeAttribute('data-dropping')
    next?.setAttribute('data-dropping', '')
    target = next
  }
  const follow = ({ clientX, clientY }: globalThis.PointerEvent) => {
    const across = Math.round((clientX - start.x) / stepX)
    const down = Math.round((clientY - start.y) / stepY)
    onPlace(placeBy(from, onDrop === undefined ? { w: across, h: down } : { x: across, y: down }))
    if (onDrop !== undefined) mark(tabAt(clientX, clientY, cell))
  }
  const stop = () => {
    mark(null)
    handle.removeEventListener('pointermove', follow)
    handle.removeEventListener('pointerup', end)
    handle.removeEventListener('pointercancel', stop)
  }
  const end = ({ clientX, clientY }: globalThis.PointerEvent) => {
    stop()
    onDrop?.(dropAt(clientX, clientY, cell))
  }
  handle.addEventListener('pointermove', follow)
  handle.addEventListener('pointerup', end)
  handle.addEventListener('pointercancel', stop)
  event.preventDefault()
}

function stepsOf(grid: HTMLElement) {
  const { gridAutoRows, rowGap } = getComputedStyle(grid)
  return { stepX: grid.clientWidth / columns, stepY: Number.parseFloat(gridAutoRows) + Number.parseFloat(rowGap) }
}

/** The tab, or what it shows, that lies under the pointer and the widget that is dragged. */
function tabAt(x: number, y: number, dragged: HTMLElement): HTMLElement | null {
  const under = document.elementsFromPoint(x, y).find(element => !dragged.contains(element))
  return under?.closest<HTMLElement>('[data-tab]') ?? null
}

function dropAt(x: number, y: number, dragged: HTMLElement): Drop {
  const tab = tabAt(x, y, dragged)
  const { container: containerId, tab: tabId } = tab?.dataset ?? {}
  const into = containerId === undefined || tabId === undefined ? null : { containerId, tabId }
  if (tab !== null && tab.role === 'tab') return { into, at: null }
  const grid = (tab ?? document).querySelector<HTMLElement>('.board-grid')
  if (grid === null) return { into, at: null }
  const { left, top } = grid.getBoundingClientRect()
  const { stepX, stepY } = stepsOf(grid)
  const cellOf = (distance: number, step: number) => Math.max(0, Math.floor(distance / step))
  return { into, at: { x: cellOf(x - left, stepX), y: cellOf(y - top, stepY) } }
}
