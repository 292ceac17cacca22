import type { Dashboard, DashboardWidget, ReportSnapshot } from '@hedron/contract'

interface Placed {
  readonly id: string
  readonly title: string | null
  readonly source: DashboardWidget
}

/** A widget as it is drawn. What its configuration does not say has a default; docs/dashboards.md lists the keys. */
export type Widget = Placed &
  (
    | { readonly kind: 'report'; readonly report: ReportSnapshot | null }
    | { readonly kind: 'text'; readonly markdown: string; readonly html: string | null }
    | { readonly kind: 'summary'; readonly markdown: string }
    | { readonly kind: 'control'; readonly parameter: string }
    | { readonly kind: 'container'; readonly tabs: readonly Tab[] }
    | { readonly kind: 'space' }
    | { readonly kind: 'line' }
  )

export interface Tab {
  readonly id: string
  readonly title: string
  readonly widgetIds: readonly string[]
}

/** The widgets of a dashboard, in reading order: from the top, then from the left. */
export function readWidgets({ config, reportSnapshots }: Pick<Dashboard, 'config' | 'reportSnapshots'>): Widget[] {
  const reports = new Map(reportSnapshots.map(report => [report.reportId, report]))
  return (config.widgets ?? [])
    .map(widget => readWidget(widget, reports))
    .sort((one, other) => placeOf(one) - placeOf(other))
}

const placeOf = ({ source: { position } }: Widget) => position.y * 1000 + position.x

function readWidget(source: DashboardWidget, reports: ReadonlyMap<number, ReportSnapshot>): Widget {
  const config = source.config ?? {}
  const placed = { id: source.id, source, title: textOf(config.title) }
  switch (source.type) {
    case 'CHART': {
      const report = reports.get(Number(config.reportId)) ?? null
      const hidesTitle = config.hideTitle === true || config.showTitle === false
      const title = hidesTitle ? null : (placed.title ?? report?.title ?? report?.name ?? null)
      return { ...placed, kind: 'report', report, title }
    }
    case 'TEXT':
      return {
        ...placed,
        kind: 'text',
        markdown: textOf(config.content) ?? textOf(config.markdown) ?? textOf(config.text) ?? '',
        html: textOf(config.html),
      }
    case 'AI':
      return { ...placed, kind: 'summary', markdown: textOf(config.content) ?? textOf(config.summary) ?? '' }
    case 'FILTER':
      return { ...placed, kind: 'control', parameter: `f_${memberOf(config)}` }
    case 'TIME_GRAIN':
      return { ...placed, kind: 'control', parameter: `tg_${memberOf(config)}` }
    case 'FIELD':
      return { ...placed, kind: 'control', parameter: `ms_${memberOf(config)}` }
    case 'SPACER':
      return { ...placed, kind: 'space' }
    case 'DIVIDER':
      return { ...placed, kind: 'line' }
    case 'CONTAINER':
    case 'PARENT':
      return { ...placed, kind: 'container', tabs: tabsOf(config, placed.title ?? '') }
  }
}

/** @param title of the widget: of its only tab, where it is not said to have tabs. */
export function tabsOf(config: Readonly<Record<string, unknown>>, title: string): Tab[] {
  if (!Array.isArray(config.tabs)) return [{ id: 'all', title, widgetIds: namesOf(config.widgetIds) }]
  return config.tabs.map((tab: unknown, index) => {
    const { id, title: name, widgetIds } = recordOf(tab)
    return { id: textOf(id) ?? String(index), title: textOf(name) ?? String(index + 1), widgetIds: namesOf(widgetIds) }
  })
}

/** Widgets that stand in the page itself and not in another one. */
export function outermost(widgets: readonly Widget[]): Widget[] {
  const inner = new Set(
    widgets.flatMap(widget => (widget.kind === 'container' ? widget.tabs.flatMap(tab => tab.widgetIds) : [])),
  )
  return widgets.filter(({ id }) => !inner.has(id))
}

/** The ids of widgets that draw something when a dashboard is opened: of tabs the first. */
export function firstDrawn(widgets: readonly Widget[]): string[] {
  const byId = new Map(widgets.map(widget => [widget.id, widget]))
  const drawn = (widget: Widget): string[] => {
    if (widget.kind === 'space' || widget.kind === 'line') return []
    const [first] = widget.kind === 'container' ? widget.tabs : []
    return [widget.id, ...(first?.widgetIds ?? []).flatMap(id => drawn(byId.get(id) ?? spacer(widget)))]
  }
  return outermost(widgets).flatMap(drawn)
}

const spacer = ({ source }: Widget): Widget => ({ id: source.id, title: null, source, kind: 'space' })

/** The member that a control is about. */
export const memberOf = (config: Readonly<Record<string, unknown>>): string =>
  textOf(config.member) ?? textOf(config.dimension) ?? textOf(config.replacedMember) ?? ''

export const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
export const namesOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : []
export const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
