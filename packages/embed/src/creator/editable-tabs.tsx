import { EmptyState } from '@hedron/ui'
import { type ReactNode, useId } from 'react'
import { useBoard } from '../dashboard/board.ts'
import { Grid } from '../dashboard/grid.tsx'
import type { Widget } from '../dashboard/model/widgets.ts'
import { TabStrip } from '../dashboard/widgets/tab-strip.tsx'
import { WidgetBox } from '../dashboard/widgets/widget-box.tsx'
import { useCreator } from './creator-context.ts'
import { useEditActions } from './edit-actions.ts'
import { useWidgetNames } from './widget-names.ts'

/** Tabs whose widgets can be changed; a tab is a place to drop a widget on, and is moved by the pointer itself. */
export function EditableTabs(props: {
  readonly widget: Widget & { readonly kind: 'container' }
  /** Draws what stands in a tab. */
  readonly view: (widget: Widget) => ReactNode
}) {
  const { widget, view } = props
  const board = useBoard()
  const actions = useEditActions()
  const { texts } = useCreator()
  const nameOf = useWidgetNames()
  const base = useId()
  const shown = actions.shownTab(widget)
  const chosen = widget.tabs.findIndex(({ id }) => id === shown?.id)
  const inner = (shown?.widgetIds ?? []).flatMap(id => board.widgets.get(id) ?? [])
  // Without tabs it is a box around widgets.
  const hasTabs = Array.isArray(widget.source.config?.tabs)
  const choose = (index: number) => {
    const tab = widget.tabs[index]
    if (tab !== undefined) actions.showTab({ containerId: widget.id, tabId: tab.id })
  }
  return (
    <WidgetBox id={widget.id} title={widget.title}>
      {hasTabs && (
        <TabStrip
          base={base}
          containerId={widget.id}
          label={nameOf(widget.source.type, widget.title)}
          tabs={widget.tabs}
          chosen={chosen}
          onChoose={choose}
          onMove={(from, to) => actions.moveTab(widget.id, from, to)}
        />
      )}
      <div
        {...(hasTabs ? { role: 'tabpanel', 'aria-labelledby': `${base}-tab-${chosen}` } : {})}
        className="creator-tab-panel"
        id={`${base}-panel`}
        data-container={widget.id}
        data-tab={shown?.id}
      >
        {inner.length === 0 ? (
          <EmptyState title={texts.emptyTab} hint="" />
        ) : (
          <Grid widgets={inner} view={view} isInner />
        )}
      </div>
    </WidgetBox>
  )
}
