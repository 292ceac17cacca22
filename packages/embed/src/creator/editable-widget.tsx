import type { DashboardWidget } from '@hedron/contract'
import { IconButton, useLocale } from '@hedron/ui'
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import type { Widget } from '../dashboard/model/widgets.ts'
import { WidgetView } from '../dashboard/widgets/widget-view.tsx'
import { useCreator } from './creator-context.ts'
import { columns, placeBy } from './draft.ts'

interface EditableWidgetProps {
  readonly widget: Widget
  readonly onPlace: (position: DashboardWidget['position']) => void
  /** Undefined: there is nothing to edit in it. */
  readonly onEdit: (() => void) | undefined
  readonly onRemove: () => void
}

/** A widget that can be moved and resized, by the pointer and by the same keys as in a spreadsheet's objects. */
export function EditableWidget({ widget, onPlace, onEdit, onRemove }: EditableWidgetProps) {
  const { texts } = useCreator()
  const { t } = useLocale()
  const cell = useRef<HTMLDivElement>(null)
  const { position } = widget.source

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== cell.current) return
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key]
    if (step !== undefined) {
      const [across = 0, down = 0] = step
      onPlace(placeBy(position, event.shiftKey ? { w: across, h: down } : { x: across, y: down }))
    } else if (event.key === 'Enter') onEdit?.()
    else if (event.key === 'Delete' || event.key === 'Backspace') onRemove()
    else return
    event.preventDefault()
  }

  const drag = (kind: 'move' | 'size') => (event: PointerEvent<HTMLElement>) => {
    const grid = cell.current?.closest<HTMLElement>('.board-grid')
    if (!grid) return
    const handle = event.currentTarget
    handle.setPointerCapture(event.pointerId)
    const stepX = grid.clientWidth / columns
    const stepY =
      Number.parseFloat(getComputedStyle(grid).gridAutoRows) + Number.parseFloat(getComputedStyle(grid).rowGap)
    const from = { x: event.clientX, y: event.clientY, position }
    const follow = (next: globalThis.PointerEvent) => {
      const across = Math.round((next.clientX - from.x) / stepX)
      const down = Math.round((next.clientY - from.y) / stepY)
      onPlace(placeBy(from.position, kind === 'move' ? { x: across, y: down } : { w: across, h: down }))
    }
    const end = () => {
      handle.removeEventListener('pointermove', follow)
      handle.removeEventListener('pointerup', end)
      handle.removeEventListener('pointercancel', end)
    }
    handle.addEventListener('pointermove', follow)
    handle.addEventListener('pointerup', end)
    handle.addEventListener('pointercancel', end)
    event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group that is moved as one has no element of its own
    <div
      ref={cell}
      className="creator-widget"
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved by keys
      tabIndex={0}
      aria-label={`${widget.title ?? widget.source.type}. ${texts.moveHint}`}
      onKeyDown={onKeyDown}
    >
      <WidgetView widget={widget} />
      <div className="creator-tools">
        <span className="creator-grip" onPointerDown={drag('move')} aria-hidden="true">
          ⠿
        </span>
        {onEdit !== undefined && <IconButton icon="pencil" label={t('edit')} onClick={onEdit} />}
        <IconButton icon="trash" label={t('remove')} onClick={onRemove} />
      </div>
      <span className="creator-corner" onPointerDown={drag('size')} aria-hidden="true" />
    </div>
  )
}
