import type { Dashboard, DashboardConfig, DashboardWidget, ReportSnapshot } from '@hedron/contract'
import { readWidgets, type Widget } from '../dashboard/model/widgets.ts'
import { type ShownReport, snapshotOf } from './draft.ts'

/** What a draft has otherwise than the version that is published. */
export type Change =
  | {
      readonly what: 'added' | 'removed' | 'changed' | 'moved'
      readonly type: DashboardWidget['type']
      /** The widget's own; null: it has none. */
      readonly title: string | null
    }
  | { readonly what: 'title' | 'settings' }

/**
 * What publishing would change for viewers, widget by widget: also reports that were edited since, of which a version keeps its own.
 *
 * @param reports as they are now; one that is not among them counts as it was published.
 */
export function changesSince(
  published: Pick<Dashboard, 'title' | 'config' | 'reportSnapshots'>,
  draft: DashboardConfig,
  reports: readonly ShownReport[],
): readonly Change[] {
  const before = new Map(readWidgets(published).map(widget => [widget.id, widget]))
  const after = readWidgets({ config: draft, reportSnapshots: reports.map(snapshotOf) })
  const kept = new Set(after.map(({ id }) => id))
  const { title: oldTitle, widgets: _old, ...oldSettings } = published.config
  const { title: newTitle, widgets: _new, ...newSettings } = draft
  return [
    ...(isSame(published.title ?? oldTitle, newTitle ?? published.title ?? oldTitle)
      ? []
      : [{ what: 'title' } as const]),
    ...(isSame(oldSettings, newSettings) ? [] : [{ what: 'settings' } as const]),
    ...after.flatMap(widget => {
      const what = changeOf(before.get(widget.id), widget)
      return what === null ? [] : [{ what, ...named(widget) }]
    }),
    ...[...before.values()]
      .filter(({ id }) => !kept.has(id))
      .map(widget => ({ what: 'removed' as const, ...named(widget) })),
  ]
}

const named = ({ source, title }: Widget) => ({ type: source.type, title })

function changeOf(before: Widget | undefined, after: Widget): 'added' | 'changed' | 'moved' | null {
  if (before === undefined) return 'added'
  const { position, responsiveLayouts, ...content } = before.source
  const { position: nextPosition, responsiveLayouts: nextLayouts, ...nextContent } = after.source
  if (!isSame(content, nextContent) || !isSameReport(before, after)) return 'changed'
  return isSame([position, responsiveLayouts ?? null], [nextPosition, nextLayouts ?? null]) ? null : 'moved'
}

function isSameReport(before: Widget, after: Widget): boolean {
  if (before.kind !== 'report' || after.kind !== 'report' || before.report === null || after.report === null)
    return true
  return isSame(shownOf(before.report), shownOf(after.report))
}

/** What viewers see of a report. */
const shownOf = ({ name, title, description, kind, spec, jsonQuery, sqlQuery, preferences }: ReportSnapshot) => ({
  name,
  title,
  description,
  kind,
  spec,
  jsonQuery,
  sqlQuery,
  preferences,
})

const isSame = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other)

/** JSON whose keys stand in one order and that leaves out what is not said. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (part === null) return undefined
    if (typeof part !== 'object' || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
