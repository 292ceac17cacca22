import type { ReportSnapshot } from '@hedron/contract'
import {
  Chart,
  type Column,
  DataTable,
  type DrawnChart,
  type Drill,
  EmptyState,
  ErrorState,
  FlowChart,
  GeoMap,
  Kpi,
  NoRightsState,
  Notice,
  overrideFormats,
  type Result,
  Skeleton,
  TextWidget,
  useLocale,
} from '@hedron/ui'
import { useMemo, useState } from 'react'
import { DataFailure } from '../../frame/data-client.ts'
import { useStore } from '../../frame/store.ts'
import { useBoard } from '../board.ts'
import { askForAll } from '../model/ask.ts'
import { questionOf } from '../model/question.ts'
import type { AskedQuestion } from '../model/records.ts'
import type { Widget } from '../model/widgets.ts'
import { useAnswer } from '../use-answer.ts'
import { useReturn } from '../use-return.ts'
import { WidgetBox } from './widget-box.tsx'
import { WidgetMenu } from './widget-menu.tsx'

type ReportWidgetProps = { readonly widget: Widget & { readonly kind: 'report' } }

/** A report on a dashboard: asked on its own, so that it keeps no other waiting and breaks alone. */
export function ReportWidget({ widget }: ReportWidgetProps) {
  const { t } = useLocale()
  const { report } = widget
  const box = { id: widget.id, title: widget.title }
  if (report === null) {
    return (
      <WidgetBox {...box}>
        <ErrorState title={t('chartFailed')} message={t('emptyHint')} code="report_missing" />
      </WidgetBox>
    )
  }
  if (report.kind === 'html' && !report.jsonQuery && !report.sqlQuery)
    return <HtmlReport widget={widget} report={report} />
  return <AskedReport widget={widget} report={report} />
}

function HtmlReport({ widget, report }: ReportWidgetProps & { readonly report: ReportSnapshot }) {
  const board = useBoard()
  useMemo(() => board.settled(widget.id, null), [board, widget.id])
  return (
    <WidgetBox id={widget.id} title={widget.title}>
      <TextWidget html={typeof report.spec === 'string' ? report.spec : ''} />
    </WidgetBox>
  )
}

function AskedReport({ widget, report }: ReportWidgetProps & { readonly report: ReportSnapshot }) {
  const board = useBoard()
  const { t } = useLocale()
  const { data, controls, timezone, allowsExport } = board
  const values = useStore(board.values)
  const turn = useStore(board.turn)
  const [retries, setRetries] = useState(0)
  const [whole, setWhole] = useState<{ readonly of: unknown; readonly result: Result } | null>(null)
  const [loading, setLoading] = useState<number | Error | null>(null)
  const question = useMemo(() => questionOf(report, controls, values, timezone), [report, controls, values, timezone])
  const attempt = useMemo(() => ({ ...turn, count: turn.count + retries }), [turn, retries])
  const state = useAnswer(data, question, timezone, attempt, error => board.settled(widget.id, error))
  useReturn(state.error, () => setRetries(count => count + 1))
  const answered = state.answer === null ? null : whole?.of === state.answer ? whole.result : state.answer.result
  const result = useMemo(
    () => (answered === null ? null : { ...answered, columns: overrideFormats(answered.columns, formatsOf(report)) }),
    [answered, report],
  )
  const title = widget.title ?? report.title ?? report.name ?? t('dashboard')
  const passedOver = state.answer?.passedOver ?? []

  const drillInto = (behind: AskedQuestion) => (drill: Drill) => board.drill(widget.id, drill, behind)
  const draws = (chart: DrawnChart | null) => {
    if (chart === null) board.pictures.delete(widget.id)
    else board.pictures.set(widget.id, chart)
  }
  const loadAll = () => {
    const { answer } = state
    if (question.kind !== 'load' || answer === null) return
    setLoading(0)
    askForAll(data, question, { signal: AbortSignal.timeout(300_000) }, setLoading)
      .then(all => {
        setWhole({ of: answer, result: all })
        setLoading(null)
      })
      .catch(error => setLoading(error instanceof Error ? error : new Error(String(error))))
  }
  return (
    <WidgetBox
      id={widget.id}
      // A figure says itself what it is.
      title={report.kind === 'kpi' ? null : widget.title}
      isAsking={state.isAsking && result !== null}
      tools={
        allowsExport && result !== null ? <WidgetMenu widgetId={widget.id} title={title} result={result} /> : undefined
      }
    >
      {state.error !== null && <Failure error={state.error} onRetry={() => setRetries(count => count + 1)} />}
      {passedOver.length > 0 && result !== null && (
        <Notice>{t('filtersNotApplied', { names: passedOver.join(', ') })}</Notice>
      )}
      {typeof loading === 'number' && <Notice>{t('loadedOf', { done: loading, all: result?.totalRows ?? 0 })}</Notice>}
      {loading instanceof Error && <Failure error={loading} onRetry={loadAll} />}
      {result === null ? (
        state.error === null && <Skeleton shape={shapeOf(report)} />
      ) : (
        <Shown
          report={report}
          result={result}
          title={title}
          onDrill={state.answered?.kind === 'load' ? drillInto(state.answered) : undefined}
          onDrawn={draws}
          onLoadAll={state.answer?.isPartial && whole?.of !== state.answer ? loadAll : undefined}
        />
      )}
    </WidgetBox>
  )
}

interface ShownProps {
  readonly report: ReportSnapshot
  readonly result: Result
  readonly title: string
  readonly onDrill: ((drill: Drill) => void) | undefined
  readonly onDrawn: (chart: DrawnChart | null) => void
  readonly onLoadAll: (() => void) | undefined
}

/** The rows in the form that the report has. */
function Shown({ report, result, title, onDrill, onDrawn, onLoadAll }: ShownProps) {
  if (result.rows.length === 0 && report.kind !== 'html') return <EmptyState />
  switch (report.kind ?? (report.spec ? 'vega' : 'table')) {
    case 'vega':
      return (
        <Chart
          spec={report.spec}
          result={result}
          label={title}
          onDrill={onDrill}
          onLoadAll={onLoadAll}
          onDrawn={onDrawn}
        />
      )
    case 'kpi': {
      const at = kpiColumn(result.columns)
      const column = result.columns[at]
      if (column === undefined) return <EmptyState />
      const [first, second] = result.rows
      const before = second === undefined ? undefined : { value: second[at] }
      const values = Object.fromEntries(result.columns.map(({ name }, index) => [name, first?.[index] ?? null]))
      const drillRow = onDrill && ((drill: Drill) => onDrill({ ...drill, values }))
      return <Kpi column={column} label={title} value={first?.[at]} before={before} onDrill={drillRow} />
    }
    case 'html':
      return <TextWidget html={typeof report.spec === 'string' ? report.spec : ''} />
    case 'map':
      return <GeoMap spec={report.spec} result={result} label={title} onDrill={onDrill} onLoadAll={onLoadAll} />
    case 'sankey':
      return <FlowChart result={result} label={title} onLoadAll={onLoadAll} />
    case 'table':
      return <DataTable result={result} label={title} onDrill={onDrill} onLoadAll={onLoadAll} />
  }
}

/** Why there is nothing, in the words of who looks: what is gone from the model, what is not allowed, else what the data API says. */
function Failure({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const { t } = useLocale()
  if (!(error instanceof DataFailure)) return <ErrorState message={error.message} onRetry={onRetry} />
  if (error.isAboutRights) return <NoRightsState />
  const code = error.requestId ?? undefined
  if (error.isAboutModel) {
    const [, member = ''] = /'([^']+)'/.exec(error.message.replace(/^'[^']+' not found for path /, '')) ?? []
    return <ErrorState message={t('memberGone', { member })} code={code} />
  }
  return <ErrorState message={error.message === '' ? t('offline') : error.message} code={code} onRetry={onRetry} />
}

const shapeOf = ({ kind }: ReportSnapshot) => (kind === 'table' ? 'table' : kind === 'kpi' ? 'number' : 'chart')

/** The figure is the first measure, else the first number, else what there is. */
function kpiColumn(columns: readonly Column[]): number {
  const measure = columns.findIndex(({ isMeasure }) => isMeasure === true)
  const number = columns.findIndex(({ type }) => type === 'number')
  return measure >= 0 ? measure : Math.max(0, number)
}

function formatsOf(report: ReportSnapshot) {
  const formats = report.preferences?.columnFormats
  return formats === undefined || formats === null ? null : formats
}
