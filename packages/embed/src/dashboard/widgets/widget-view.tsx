import { Skeleton, TextWidget } from '@hedron/ui'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useBoard } from '../board.ts'
import { ControlWidget } from '../controls/control-widget.tsx'
import { Grid } from '../grid.tsx'
import type { Widget } from '../model/widgets.ts'
import { ReportWidget } from './report-widget.tsx'
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
  const [chosen, choose] = useState(0)
  const tab = widget.tabs[chosen] ?? widget.tabs[0]
  useEffect(() => board.settled(widget.id, null), [board, widget.id])
  const inner = (tab?.widgetIds ?? []).flatMap(id => board.widgets.get(id) ?? [])
  const move = (key: string) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
    if (step === undefined) return
    const next = (chosen + step + widget.tabs.length) % widget.tabs.length
    choose(next)
    document.getElementById(`${widget.id}-tab-${next}`)?.focus()
  }
  return (
    <WidgetBox id={widget.id} title={widget.tabs.length > 1 ? widget.title : null}>
      {widget.tabs.length > 1 && (
        <div role="tablist" className="board-tabs" aria-label={widget.title ?? undefined}>
          {widget.tabs.map((each, index) => (
            <button
              key={each.id}
              id={`${widget.id}-tab-${index}`}
              type="button"
              role="tab"
              aria-selected={index === chosen}
              tabIndex={index === chosen ? 0 : -1}
              onClick={() => choose(index)}
              onKeyDown={event => move(event.key)}
            >
              {each.title}
            </button>
          ))}
        </div>
      )}
      <Grid widgets={inner} view={each => <WidgetView widget={each} />} isInner />
    </WidgetBox>
  )
}
