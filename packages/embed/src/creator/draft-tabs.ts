import type { DashboardConfig, DashboardWidget } from '@hedron/contract'
import { recordOf, type Tab, tabsOf, textOf } from '../dashboard/model/widgets.ts'

/** A tab that widgets stand in; null in its place is the page itself. */
export interface TabPlace {
  readonly containerId: string
  readonly tabId: string
}

export const isContainer = ({ type }: DashboardWidget): boolean => type === 'CONTAINER' || type === 'PARENT'
export const isSamePlace = (one: TabPlace | null, other: TabPlace | null): boolean =>
  one?.containerId === other?.containerId && one?.tabId === other?.tabId

/** The tabs of a container; none of another widget. */
export const tabsIn = (widget: DashboardWidget): readonly Tab[] =>
  isContainer(widget) ? tabsOf(widget.config ?? {}, textOf(widget.config?.title) ?? '') : []

/** Where a widget stands. */
export function placeOf(draft: DashboardConfig, id: string): TabPlace | null {
  for (const widget of draft.widgets ?? []) {
    const tab = tabsIn(widget).find(({ widgetIds }) => widgetIds.includes(id))
    if (tab !== undefined) return { containerId: widget.id, tabId: tab.id }
  }
  return null
}

/** The widgets that stand directly on the page, or in a tab. */
export function widgetsAt(draft: DashboardConfig, place: TabPlace | null): readonly DashboardWidget[] {
  return (draft.widgets ?? []).filter(({ id }) => isSamePlace(placeOf(draft, id), place))
}

/** The same widgets, one of them in another place: in no other tab then, and in none where that is the page. */
export function putInto(draft: DashboardConfig, id: string, place: TabPlace | null): DashboardConfig {
  const widgets = (draft.widgets ?? []).map(widget => {
    const tabs = tabsIn(widget)
    const next = tabs.map(tab => {
      const others = tab.widgetIds.filter(each => each !== id)
      const isHere = isSamePlace(place, { containerId: widget.id, tabId: tab.id })
      return { ...tab, widgetIds: isHere ? [...others, id] : others }
    })
    const isOther = next.some(({ widgetIds }, at) => widgetIds.join() !== tabs[at]?.widgetIds.join())
    return isOther ? withTabs(widget, next) : widget
  })
  return { ...draft, widgets }
}

/** A container with these tabs; what else its configuration says of them stays. */
export function withTabs(widget: DashboardWidget, tabs: readonly Tab[]): DashboardWidget {
  const config = widget.config ?? {}
  if (!Array.isArray(config.tabs) && tabs.length === 1 && tabs[0]?.id === 'all') {
    return { ...widget, config: { ...config, widgetIds: tabs[0].widgetIds } }
  }
  const { widgetIds: _, tabs: given, ...rest } = config
  const known = new Map(tabsIn(widget).map(({ id }, at) => [id, Array.isArray(given) ? recordOf(given[at]) : {}]))
  return { ...widget, config: { ...rest, tabs: tabs.map(tab => ({ ...known.get(tab.id), ...tab })) } }
}

/** A container's tabs as they are to be: named, in this order. Widgets of a tab that is not among them are gone. */
export function changeTabs(draft: DashboardConfig, containerId: string, tabs: readonly Tab[]): DashboardConfig {
  const container = draft.widgets?.find(({ id }) => id === containerId)
  if (container === undefined) return draft
  const kept = new Set(tabs.map(({ id }) => id))
  const lost = tabsIn(container).flatMap(({ id, widgetIds }) => (kept.has(id) ? [] : widgetIds))
  const without = lost.reduce(removeWidget, draft)
  const widgets = (without.widgets ?? []).map(widget => (widget.id === containerId ? withTabs(widget, tabs) : widget))
  return { ...without, widgets }
}

/** Takes a widget away, from its tab too, and a container with everything in it. */
export function removeWidget(draft: DashboardConfig, id: string): DashboardConfig {
  const inside = new Set([id, ...heldBy(draft, id).map(widget => widget.id)])
  const freed = [...inside].reduce((before, each) => putInto(before, each, null), draft)
  return { ...freed, widgets: (freed.widgets ?? []).filter(widget => !inside.has(widget.id)) }
}

/** All that stands in a container, however deep. */
export function heldBy(draft: DashboardConfig, id: string): readonly DashboardWidget[] {
  const all = new Map((draft.widgets ?? []).map(widget => [widget.id, widget]))
  const held = new Map<string, DashboardWidget>()
  const look = (of: string) => {
    const container = all.get(of)
    const inside = container === undefined ? [] : tabsIn(container).flatMap(({ widgetIds }) => widgetIds)
    for (const inner of inside) {
      const widget = all.get(inner)
      if (widget === undefined || held.has(inner) || inner === id) continue
      held.set(inner, widget)
      look(inner)
    }
  }
  look(id)
  return [...held.values()]
}

/** A tab that is not there yet, under an id that none of the others has. */
export function newTab(tabs: readonly Tab[], title: string): Tab {
  const taken = new Set(tabs.map(({ id }) => id))
  let number = tabs.length + 1
  while (taken.has(`tab-${number}`)) number++
  return { id: `tab-${number}`, title, widgetIds: [] }
}

/** The same with one of them elsewhere in the row. */
export function reordered<T>(items: readonly T[], from: number, to: number): readonly T[] {
  const item = items[from]
  if (item === undefined || to < 0 || to >= items.length) return items
  return items.toSpliced(from, 1).toSpliced(to, 0, item)
}

/** Where else a widget can go: the page and every tab but its own; what holds widgets itself goes to the page alone. */
export function placesFor(draft: DashboardConfig, id: string): readonly (TabPlace | null)[] {
  const widget = draft.widgets?.find(each => each.id === id)
  if (widget === undefined) return []
  const tabs = (draft.widgets ?? []).flatMap(container =>
    tabsIn(container).map(tab => ({ containerId: container.id, tabId: tab.id })),
  )
  const own = placeOf(draft, id)
  return [null, ...(isContainer(widget) ? [] : tabs)].filter(place => !isSamePlace(place, own))
}
