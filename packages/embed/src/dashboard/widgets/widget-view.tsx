import { Skeleton, TextWidget } from '@hedron/ui'
import { lazy, Suspense, useEffect, useId, useState } from 'react'
import { useBoard } from '../board.ts'
import { ControlWidget } from '../controls/control-widget.tsx'
import { Grid } from '../grid.tsx'
import type { Widget } from '../model/widgets.ts'
import { ReportWidget } from './report-widget.tsx'
import { TabStrip } from './tab-strip.tsx'
import { WidgetBox } from './widget-box.tsx'

const SummaryWidget = lazy(() =>
  import('../summary/summary-widget.tsx').then(summary => ({ default: summary.SummaryWidget })),
)

/** A widget of whichever kind. */
export function WidgetView({ widget }: { readonly widget: Widget }) {
  switch (widget.kind) {
    case 'report':
      return <ReportWidget widget={widget} />
    case 'text':
      return (
        <Still widget={widget}>
          {widget.html === null ? <TextWidget markdown={widget.markdown} /> : <TextWidget html={widget.html} />}
        </Still>
      )
    case 'summary':
      return (
        <Suspense fallback={<Skeleton shape="text" />}>
          <SummaryWidget widget={widget} />
        </Suspense>
      )
    case 'control':
      return <ControlWidget widget={widget} />
    case 'container':
      return <ContainerWidget widget={widget} />
    case 'space':
      return <div aria-hidden="true" />
    case 'line':
      return <hr className="board-line" />
  }
}

/** What needs no data is there at once. */
function Still({ widget, children }: { readonly widget: Widget; readonly children: React.ReactNode }) {
  const board = useBoard()
  useEffect(() => board.settled(widget.id, null), [board, widget.id])
  return (
    <WidgetBox id={widget.id} title={widget.title}>
      {children}
    </WidgetBox>
  )
}

function ContainerWidget({ widget }: { readonly widget: Widget & { readonly kind: 'container' } }) {
  const board = useBoard()
  const base = useId()
  const [wished, choose] = useState(0)
  const chosen = wished < widget.tabs.length ? wished : 0
  const tab = widget.tabs[chosen]
  useEffect(() => board.settled(widget.id, null), [board, widget.id])
  const inner = (tab?.widgetIds ?? []).flatMap(id => board.widgets.get(id) ?? [])
  const grid = <Grid widgets={inner} view={each => <WidgetView widget={each} />} isInner />
  if (tab === undefined || widget.tabs.length < 2) {
    return (
      <WidgetBox id={widget.id} title={null}>
        {grid}
      </WidgetBox>
    )
  }
  return (
    <WidgetBox id={widget.id} title={widget.title}>
      <TabStrip
        base={base}
        containerId={widget.id}
        label={widget.title ?? undefined}
        tabs={widget.tabs}
        chosen={chosen}
        onChoose={choose}
      />
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-tab-${chosen}`}>
        {grid}
      </div>
    </WidgetBox>
  )
}
