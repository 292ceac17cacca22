import type { DashboardWidget } from '@hedron/contract'
import { createContext, useContext } from 'react'
import type { Tab, Widget } from '../dashboard/model/widgets.ts'
import type { MenuItem } from '../dashboard/widgets/menu-button.tsx'
import type { TabPlace } from './draft-tabs.ts'

/** What can be done to the widgets of a draft, wherever they stand. */
export interface EditActions {
  place(widgetId: string, position: DashboardWidget['position']): void
  /** @param at its first cell there; null: where nothing lies. */
  moveInto(widgetId: string, into: TabPlace | null, at: { readonly x: number; readonly y: number } | null): void
  /** What opens the editor of a widget; null where there is nothing to edit in it. */
  editorOf(widget: Widget): (() => void) | null
  /** Asks first where more than the widget is lost. */
  remove(widget: Widget): void
  /** What asks where a widget is to go; null where there is no other place. */
  moverOf(widget: Widget): (() => void) | null
  /** What can be added to the page or to a tab. */
  additions(into: TabPlace | null): readonly MenuItem[]
  shownTab(widget: Widget & { readonly kind: 'container' }): Tab | null
  showTab(place: TabPlace): void
  moveTab(containerId: string, from: number, to: number): void
}

const EditContext = createContext<EditActions | null>(null)
export const EditRoot = EditContext.Provider

/** @throws {Error} outside of a draft. */
export function useEditActions(): EditActions {
  const actions = useContext(EditContext)
  if (actions === null) throw new Error('there is no draft around this')
  return actions
}
