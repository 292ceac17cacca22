import type { DashboardConfig, DashboardWidget, Report } from '@hedron/contract'
import { useEffect, useRef, useState } from 'react'
import { textOf, type Widget } from '../dashboard/model/widgets.ts'
import { useFrame } from '../frame/frame-context.tsx'
import { useCreator } from './creator-context.ts'
import { addWidget, changeWidget, moveInto } from './draft.ts'
import {
  changeTabs,
  heldBy,
  isContainer,
  isSamePlace,
  placeOf,
  placesFor,
  removeWidget,
  reordered,
  type TabPlace,
  tabsIn,
} from './draft-tabs.ts'
import type { EditActions } from './edit-actions.ts'
import type { Editing, OpenWorkbook } from './use-workbook.ts'

type EditorKind = 'report' | 'html' | 'text' | 'control' | 'summary' | 'tabs'

/** What is open over the page. */
export type Opened =
  | { readonly kind: EditorKind; readonly widgetId: string | null; readonly into: TabPlace | null }
  | { readonly kind: 'move' | 'remove'; readonly widgetId: string }
  | { readonly kind: 'settings' }

export type Edits = ReturnType<typeof useEdits>

/** The ways to change a draft, and what is open to change it with. */
export function useEdits(open: OpenWorkbook, editing: Editing) {
  const { config } = useFrame()
  const { texts } = useCreator()
  const [opened, setOpened] = useState<Opened | null>(null)
  const [shownTabs, setShownTabs] = useState<ReadonlyMap<string, string>>(new Map())
  const focusSoon = useFocusSoon()
  const { draft, reports } = open

  const edit = (change: (draft: DashboardConfig) => DashboardConfig) =>
    editing.change(before => ({ ...before, draft: change(before.draft) }))

  /** Gives a widget its configuration, or makes it where what is open says. */
  const put = (
    widgetId: string | null,
    type: DashboardWidget['type'],
    given: Record<string, unknown>,
    into: TabPlace | null,
  ) => {
    edit(before =>
      widgetId === null
        ? addWidget(before, type, given, into).draft
        : changeWidget(before, widgetId, widget => ({ ...widget, config: { ...widget.config, ...given } })),
    )
    setOpened(null)
  }
  const saved = (report: Report, widgetId: string | null, into: TabPlace | null) => {
    editing.change(before => ({ ...before, reports: [...before.reports.filter(({ id }) => id !== report.id), report] }))
    put(widgetId, 'CHART', { reportId: report.id }, into)
  }
  const remove = (widgetId: string) => {
    edit(before => removeWidget(before, widgetId))
    setOpened(null)
    focusSoon(null)
  }
  const move = (widgetId: string, into: TabPlace | null, at: { readonly x: number; readonly y: number } | null) => {
    edit(before => moveInto(before, widgetId, into, at))
    if (into !== null) showTab(into)
    setOpened(null)
    focusSoon(widgetId)
  }
  const showTab = ({ containerId, tabId }: TabPlace) => setShownTabs(before => new Map(before).set(containerId, tabId))

  const { allowAi, showAiWidgets } = config.embedding
  const add = (kind: EditorKind, into: TabPlace | null) => () => setOpened({ kind, widgetId: null, into })
  const actions: EditActions = {
    place: (widgetId, position) => edit(before => changeWidget(before, widgetId, widget => ({ ...widget, position }))),
    moveInto(widgetId, into, at) {
      const widget = draft.widgets?.find(({ id }) => id === widgetId)
      // Within one place it has moved with the pointer already; tabs do not go into tabs.
      if (widget === undefined || isSamePlace(placeOf(draft, widgetId), into)) return
      if (into === null || !isContainer(widget)) move(widgetId, into, at)
    },
    editorOf({ id, source }) {
      const kind = editorKind(source, reports)
      return kind === null ? null : () => setOpened({ kind, widgetId: id, into: null })
    },
    remove({ id }) {
      if (heldBy(draft, id).length > 0) setOpened({ kind: 'remove', widgetId: id })
      else remove(id)
    },
    moverOf: ({ id }) => (placesFor(draft, id).length === 0 ? null : () => setOpened({ kind: 'move', widgetId: id })),
    additions: into => [
      { label: texts.addChart, run: add('report', into) },
      { label: texts.addText, run: add('text', into) },
      { label: texts.addHtml, run: add('html', into) },
      { label: texts.addControl, run: add('control', into) },
      ...(allowAi && showAiWidgets ? [{ label: texts.addSummary, run: add('summary', into) }] : []),
      ...(into === null ? [{ label: texts.addTabs, run: add('tabs', into) }] : []),
      { label: texts.addSpace, run: () => put(null, 'SPACER', {}, into) },
      { label: texts.addDivider, run: () => put(null, 'DIVIDER', {}, into) },
    ],
    shownTab: ({ id, tabs }: Widget & { readonly kind: 'container' }) =>
      tabs.find(tab => tab.id === shownTabs.get(id)) ?? tabs[0] ?? null,
    showTab,
    moveTab: (containerId, from, to) =>
      edit(before => {
        const container = before.widgets?.find(({ id }) => id === containerId)
        return container === undefined
          ? before
          : changeTabs(before, containerId, reordered(tabsIn(container), from, to))
      }),
  }
  return { actions, edit, put, saved, remove, move, opened, setOpened }
}

const editors: Readonly<Partial<Record<DashboardWidget['type'], EditorKind>>> = {
  CHART: 'report',
  TEXT: 'text',
  AI: 'summary',
  FILTER: 'control',
  TIME_GRAIN: 'control',
  FIELD: 'control',
  CONTAINER: 'tabs',
  PARENT: 'tabs',
}

/** @returns null for what there is nothing to edit in. */
function editorKind({ type, config }: DashboardWidget, reports: readonly Report[]): EditorKind | null {
  const isHtml =
    type === 'CHART'
      ? reports.find(({ id }) => id === config?.reportId)?.meta?.kind === 'html'
      : type === 'TEXT' && textOf(config?.html) !== null
  return isHtml ? 'html' : (editors[type] ?? null)
}

/** Puts the focus on a widget once it is drawn in its new place; on the page (null) where it is gone, so that Ctrl+Z is heard. */
function useFocusSoon(): (widgetId: string | null) => void {
  const wanted = useRef<string | null | undefined>(undefined)
  useEffect(() => {
    if (wanted.current === undefined) return
    const selector = wanted.current === null ? '.creator' : `[data-editable="${CSS.escape(wanted.current)}"]`
    const element = document.querySelector<HTMLElement>(selector)
    if (element === null) return
    wanted.current = undefined
    element.focus()
  })
  return widgetId => {
    wanted.current = widgetId
  }
}
