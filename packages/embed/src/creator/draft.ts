import type { DashboardConfig, DashboardWidget, Report, ReportSnapshot } from '@hedron/contract'
import { putInto, type TabPlace, widgetsAt } from './draft-tabs.ts'

export const columns = 12
const sizes: Readonly<Partial<Record<DashboardWidget['type'], readonly [w: number, h: number]>>> = {
  CHART: [6, 8],
  TEXT: [6, 3],
  FILTER: [3, 2],
  TIME_GRAIN: [3, 2],
  FIELD: [3, 2],
  AI: [6, 4],
  CONTAINER: [12, 12],
  SPACER: [12, 1],
  DIVIDER: [12, 1],
}

/** A draft with one widget more, in the first row that is free on the page or in a tab. */
export function addWidget(
  draft: DashboardConfig,
  type: DashboardWidget['type'],
  config: Record<string, unknown>,
  into: TabPlace | null = null,
): { readonly draft: DashboardConfig; readonly id: string } {
  const widgets = draft.widgets ?? []
  const [w = 6, h = 6] = sizes[type] ?? []
  const taken = new Set(widgets.map(({ id }) => id))
  let number = widgets.length + 1
  while (taken.has(`widget-${number}`)) number++
  const id = `widget-${number}`
  const position = { ...freePlace(widgetsAt(draft, into), w, h), w, h }
  return { draft: putInto({ ...draft, widgets: [...widgets, { id, type, position, config }] }, id, into), id }
}

/** Puts a widget elsewhere: on the page (null) or in a tab. @param at its first cell there; null: where nothing lies. */
export function moveInto(
  draft: DashboardConfig,
  id: string,
  into: TabPlace | null,
  at: { readonly x: number; readonly y: number } | null,
): DashboardConfig {
  const others = widgetsAt(draft, into).filter(other => other.id !== id)
  const placed = changeWidget(draft, id, ({ position: { w, h }, responsiveLayouts: _, ...widget }) => ({
    ...widget,
    position: placeBy({ x: 0, y: 0, w, h }, at ?? freePlace(others, w, h)),
  }))
  return putInto(placed, id, into)
}

/** The first place, by rows, that nothing lies on. */
function freePlace(widgets: readonly DashboardWidget[], w: number, h: number): { x: number; y: number } {
  for (let y = 0; ; y++) {
    for (let x = 0; x + w <= columns; x++) {
      const isFree = widgets.every(
        ({ position: other }) =>
          x + w <= other.x || other.x + other.w <= x || y + h <= other.y || other.y + other.h <= y,
      )
      if (isFree) return { x, y }
    }
  }
}

export function changeWidget(
  draft: DashboardConfig,
  id: string,
  change: (widget: DashboardWidget) => DashboardWidget,
): DashboardConfig {
  return { ...draft, widgets: (draft.widgets ?? []).map(widget => (widget.id === id ? change(widget) : widget)) }
}

/** Moves or resizes by steps of the grid; what would leave it stays. */
export function placeBy(
  { x, y, w, h }: DashboardWidget['position'],
  by: { readonly x?: number; readonly y?: number; readonly w?: number; readonly h?: number },
): DashboardWidget['position'] {
  const width = Math.min(columns, Math.max(1, w + (by.w ?? 0)))
  return {
    x: Math.min(columns - width, Math.max(0, x + (by.x ?? 0))),
    y: Math.max(0, y + (by.y ?? 0)),
    w: width,
    h: Math.min(100, Math.max(1, h + (by.h ?? 0))),
  }
}

/** What is shown of a report. */
export type ShownReport = Pick<
  Report,
  'id' | 'version' | 'name' | 'title' | 'description' | 'jsonQuery' | 'sqlQuery' | 'meta'
>

/** A report as a published dashboard would hold it, to show a draft with. */
export function snapshotOf(report: ShownReport): ReportSnapshot {
  const meta = report.meta ?? {}
  return {
    id: report.id,
    reportId: report.id,
    versionNumber: report.version ?? 1,
    name: report.name,
    title: report.title,
    description: report.description,
    kind: meta.kind ?? null,
    spec: meta.spec ?? null,
    jsonQuery: report.jsonQuery,
    sqlQuery: report.sqlQuery,
    meta,
    preferences: meta.preferences ?? null,
  }
}
