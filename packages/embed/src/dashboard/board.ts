import type { DashboardConfig } from '@hedron/contract'
import { createContext, useContext } from 'react'
import type { DataClient } from '../frame/data-client.ts'
import type { Store } from '../frame/store.ts'
import type { Pictures } from './export/pictures.ts'
import type { Control, ControlValue, ControlValues } from './model/controls.ts'
import type { AskedQuestion, Drilled } from './model/records.ts'
import type { Widget } from './model/widgets.ts'
import type { Turn } from './turn.ts'

/** The dashboard that is shown, for everything on it. */
export interface Board {
  /** The grid that widgets stand in. */
  readonly layout: DashboardConfig['layout']
  readonly deploymentId: number
  readonly data: DataClient
  readonly widgets: ReadonlyMap<string, Widget>
  readonly controls: ReadonlyMap<string, Control>
  readonly values: Store<ControlValues>
  readonly turn: Store<Turn>
  readonly timezone: string | undefined
  /** Whether rows and pictures may be downloaded. */
  readonly allowsExport: boolean
  readonly pictures: Pictures
  change(parameter: string, value: ControlValue | null): void
  /** A widget has its content, or has failed. */
  settled(widgetId: string, error: Error | null): void
  /** @param behind the question that the value answers. */
  drill(widgetId: string, drill: Drilled, behind: AskedQuestion): void
}

const BoardContext = createContext<Board | null>(null)
export const BoardRoot = BoardContext.Provider

/** @throws {Error} outside of a dashboard. */
export function useBoard(): Board {
  const board = useContext(BoardContext)
  if (board === null) throw new Error('there is no dashboard around this')
  return board
}
