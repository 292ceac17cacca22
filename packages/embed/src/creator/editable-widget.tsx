import { IconButton, useLocale } from '@hedron/ui'
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import type { Widget } from '../dashboard/model/widgets.ts'
import { MenuButton } from '../dashboard/widgets/menu-button.tsx'
import { WidgetView } from '../dashboard/widgets/widget-view.tsx'
import { useCreator } from './creator-context.ts'
import { placeBy } from './draft.ts'
import { drag } from './drag.ts'
import { useEditActions } from './edit-actions.ts'
import { EditableTabs } from './editable-tabs.tsx'
import { useWidgetNames } from './widget-names.ts'

/** A widget that can be moved and resized, by the pointer and by the same keys as in a spreadsheet's objects. */
export function EditableWidget({ widget }: { readonly widget: Widget }) {
  const { texts } = useCreator()
  const { t } = useLocale()
  const actions = useEditActions()
  const nameOf = useWidgetNames()
  const cell = useRef<HTMLDivElement>(null)
  const { position, type } = widget.source
  const name = nameOf(type, widget.title)
  const edit = actions.editorOf(widget)
  const move = actions.moverOf(widget)
  const shown = widget.kind === 'container' ? actions.shownTab(widget) : null

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== cell.current) return
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key]
    if (step !== undefined) {
      const [across = 0, down = 0] = step
      actions.place(widget.id, placeBy(position, event.shiftKey ? { w: across, h: down } : { x: across, y: down }))
    } else if (event.key === 'Enter') edit?.()
    else if (event.key === 'Delete' || event.key === 'Backspace') actions.remove(widget)
    else return
    event.preventDefault()
  }
  const onPlace = (next: typeof position) => actions.place(widget.id, next)
  const grip = (event: PointerEvent<HTMLElement>) => {
    if (cell.current === null) return
    drag(event, cell.current, position, onPlace, ({ into, at }) => actions.moveInto(widget.id, into, at))
  }
  const corner = (event: PointerEvent<HTMLElement>) => {
    if (cell.current !== null) drag(event, cell.current, position, onPlace)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group that is moved as one has no element of its own
    <div
      ref={cell}
      className="creator-widget"
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved by keys
      tabIndex={0}
      data-editable={widget.id}
      aria-label={`${name}. ${texts.moveHint}`}
      onKeyDown={onKeyDown}
    >
      {widget.kind === 'container' ? (
        <EditableTabs widget={widget} view={each => <EditableWidget widget={each} />} />
      ) : (
        <WidgetView widget={widget} />
      )}
      <div className="creator-tools">
        <span className="creator-grip" onPointerDown={grip} aria-hidden="true">
          ⠿
        </span>
        {shown !== null && (
          <MenuButton
            icon="plus"
            label={`${texts.add}: ${shown.title === '' ? name : shown.title}`}
            items={actions.additions({ containerId: widget.id, tabId: shown.id })}
          />
        )}
        {move !== null && <IconButton icon="expand" label={texts.moveTo} onClick={move} />}
        {edit !== null && <IconButton icon="pencil" label={t('edit')} onClick={edit} />}
        <IconButton icon="trash" label={t('remove')} onClick={() => actions.remove(widget)} />
      </div>
      <span className="creator-corner" onPointerDown={corner} aria-hidden="true" />
    </div>
  )
}
