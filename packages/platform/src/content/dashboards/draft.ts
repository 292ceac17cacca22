import { DashboardConfig, type DashboardConfigDraftInput, type WorkbookMeta } from '@hedron/contract'

/** Gives widgets without an id the first free `widget-<n>`, so that the same draft is always saved the same. */
export function withWidgetIds(draft: DashboardConfigDraftInput): DashboardConfig {
  const { widgets, ...rest } = draft
  if (!widgets) return DashboardConfig.parse(rest)
  const taken = new Set(widgets.map(({ id }) => id))
  let next = 0
  const freeId = () => {
    do next++
    while (taken.has(`widget-${next}`))
    return `widget-${next}`
  }
  return DashboardConfig.parse({ ...rest, widgets: widgets.map(widget => ({ ...widget, id: widget.id ?? freeId() })) })
}

/** What is stored of the metadata that was sent: a dashboard draft of null is none. */
export function storedMeta({ dashboardDraft, ...meta }: WorkbookMeta): Record<string, unknown> {
  return dashboardDraft ? { ...meta, dashboardDraft: withWidgetIds(dashboardDraft) } : meta
}

/** The dashboard draft of a workbook's metadata; null where there is none. */
export function draftOf(meta: Readonly<Record<string, unknown>>): DashboardConfig | null {
  return meta.dashboardDraft === undefined ? null : DashboardConfig.parse(meta.dashboardDraft)
}
