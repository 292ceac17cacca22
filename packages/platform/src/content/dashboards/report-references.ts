import { type DashboardConfig, DashboardWidget } from '@hedron/contract'

/** Which widget shows which report: the numbers under `reportId` and `reportIds` in the widgets' settings, however deep. */
export function reportsShown(config: DashboardConfig): ReadonlyMap<number, string> {
  const shown = new Map<number, string>()
  for (const { id, config: settings } of config.widgets ?? []) {
    changeReferences(settings, report => {
      if (!shown.has(report)) shown.set(report, id)
      return report
    })
  }
  return shown
}

/** The same dashboard showing the copies of its reports; a reference to what was not copied stays. */
export function showCopies(config: DashboardConfig, copies: ReadonlyMap<number, number>): DashboardConfig {
  const widgets = config.widgets?.map(widget =>
    DashboardWidget.parse({ ...widget, config: changeReferences(widget.config, id => copies.get(id) ?? id) }),
  )
  return widgets === undefined ? config : { ...config, widgets }
}

function changeReferences(value: unknown, change: (reportId: number) => number): unknown {
  if (Array.isArray(value)) return value.map(item => changeReferences(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key === 'reportId' && isId(inner)) return [key, change(inner)]
      if (key === 'reportIds' && Array.isArray(inner)) return [key, inner.map(id => (isId(id) ? change(id) : id))]
      return [key, changeReferences(inner, change)]
    }),
  )
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0
