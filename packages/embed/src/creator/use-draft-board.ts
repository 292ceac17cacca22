import { useMemo, useState } from 'react'
import type { Board } from '../dashboard/board.ts'
import { type ControlValues, initialValues, readControls } from '../dashboard/model/controls.ts'
import { readWidgets } from '../dashboard/model/widgets.ts'
import { firstTurn } from '../dashboard/turn.ts'
import { useFrame } from '../frame/frame-context.tsx'
import { timeZoneOf } from '../frame/frame-settings.ts'
import { createStore, useStore } from '../frame/store.ts'
import { snapshotOf } from './draft.ts'
import type { OpenWorkbook } from './use-workbook.ts'

/** The draft as a board, with reports as they are now. */
export function useDraftBoard({ workbook, draft, reports }: OpenWorkbook): Board {
  const { frame, config, claims } = useFrame()
  const wishes = useStore(frame.wishes)
  const timezone = timeZoneOf(wishes, frame.address, claims, config, null)
  const [values] = useState(() => createStore<ControlValues>(new Map()))
  const [turn] = useState(() => createStore(firstTurn))
  return useMemo(() => {
    const widgets = readWidgets({ config: draft, reportSnapshots: reports.map(snapshotOf) })
    const controls = readControls(widgets)
    if (values.get().size === 0) values.set(() => initialValues(controls, new Map()))
    return {
      layout: draft.layout,
      deploymentId: workbook.deploymentId,
      data: frame.data(workbook.deploymentId),
      widgets: new Map(widgets.map(widget => [widget.id, widget])),
      controls,
      values,
      turn,
      timezone,
      allowsExport: false,
      pictures: new Map(),
      change: (parameter, value) =>
        values.set(before => {
          const next = new Map(before)
          if (value === null) next.delete(parameter)
          else next.set(parameter, value)
          return next
        }),
      settled: () => undefined,
      drill: () => undefined,
    }
  }, [workbook, draft, reports, frame, timezone, values, turn])
}
