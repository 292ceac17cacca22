import type { Dashboard } from '@hedron/contract'
import { EmptyState, useLocale } from '@hedron/ui'
import { type CSSProperties, useEffect, useMemo, useRef, useState } from 'react'
import { readAddress, withControls } from '../frame/address.ts'
import { useFrame } from '../frame/frame-context.tsx'
import { timeZoneOf } from '../frame/frame-settings.ts'
import { createStore, useStore } from '../frame/store.ts'
import { OpenedPanel, useDashboardPanels } from '../panels/panels.tsx'
import { type Board, BoardRoot } from './board.ts'
import { DrillDialog, type DrillRequest } from './drill-dialog.tsx'
import { Grid } from './grid.tsx'
import { BoardHeader } from './header.tsx'
import { type ControlValues, initialValues, readControls, readParameter, writeParameter } from './model/controls.ts'
import { measureOf } from './model/records.ts'
import { firstDrawn, outermost, readWidgets, recordOf } from './model/widgets.ts'
import { themeStyle } from './theme-style.ts'
import { firstTurn, nextTurn, type Turn } from './turn.ts'
import type { WaysOut } from './ways-out.ts'
import { WidgetView } from './widgets/widget-view.tsx'
import './board-view.css'

/** A dashboard with everything on it; made anew for another version. */
export function BoardView(props: {
  readonly dashboard: Dashboard
  readonly ways: WaysOut
  readonly reload: () => void
}) {
  const { dashboard, ways, reload } = props
  const { frame, config, claims } = useFrame()
  const { t } = useLocale()
  const wishes = useStore(frame.wishes)
  const panels = useDashboardPanels()
  const [drill, setDrill] = useState<DrillRequest | null>(null)
  const page = useRef<HTMLDivElement>(null)
  const settings = recordOf(dashboard.config.settings)
  const pinned = typeof settings.timezone === 'string' ? settings.timezone : null
  const timezone = timeZoneOf(wishes, frame.address, claims, config, pinned)
  const widgets = useMemo(() => readWidgets(dashboard), [dashboard])
  const began = useRef(performance.now())
  const waiting = useRef(new Set(firstDrawn(widgets)))
  const controls = useMemo(() => readControls(widgets), [widgets])
  // What was chosen stands in the address: also for a version that takes the place of another, and in another zone.
  const [values] = useState(() => createStore<ControlValues>(initialValues(controls, readAddress(location).controls)))
  const [turn] = useState(() => createStore<Turn>(firstTurn))

  const board = useMemo((): Board => {
    const isLoaded = { current: false }
    return {
      layout: dashboard.config.layout,
      deploymentId: dashboard.deploymentId,
      data: frame.data(dashboard.deploymentId),
      widgets: new Map(widgets.map(widget => [widget.id, widget])),
      controls,
      values,
      turn,
      timezone,
      // The account's word goes before the address's; a grant is the literal `true`.
      allowsExport:
        frame.address.switches.allowExport && !config.restrictDataDownload && dashboard.restrictDataDownload !== true,
      pictures: new Map(),
      change(parameter, value) {
        values.set(before => {
          const next = new Map(before)
          if (value === null) next.delete(parameter)
          else next.set(parameter, value)
          return next
        })
      },
      settled(widgetId, error) {
        if (error !== null) {
          frame.host.emit('error', { message: error.message, name: error.name, context: `widget ${widgetId}` })
        }
        waiting.current.delete(widgetId)
        if (waiting.current.size > 0 || isLoaded.current) return
        isLoaded.current = true
        frame.host.emit('dashboard-loaded', {
          publicId: dashboard.publicId,
          widgetCount: widgets.length,
          loadDurationMs: Math.round(performance.now() - began.current),
        })
      },
      drill(widgetId, drilled, behind) {
        frame.host.emit('drilldown', { member: measureOf(drilled, behind), value: drilled.value, widgetId })
        setDrill({ drilled, behind })
      },
    }
  }, [dashboard, widgets, controls, values, turn, frame, config, timezone])

  useEffect(() => followHost(board, frame.host, reload), [board, frame, reload])
  useEffect(() => writeAddress(board), [board])
  useEffect(() => refreshEvery(board, Number(settings.refreshInterval)), [board, settings.refreshInterval])
  // Who has a session again sees what could not be asked meanwhile.
  useEffect(() => {
    let kind = frame.session.state.kind
    return frame.session.subscribe(() => {
      const next = frame.session.state.kind
      if (next === 'open' && kind !== 'open') board.turn.set(nextTurn('must-revalidate'))
      kind = next
    })
  }, [board, frame])
  useEffect(() => {
    const title = dashboard.title ?? t('dashboard')
    document.title = title
    frame.host.emit('view', {
      surface: frame.address.surface,
      path: location.pathname,
      publicId: dashboard.publicId,
      title,
    })
  }, [dashboard, frame, t])

  const shown = outermost(widgets)
  return (
    <BoardRoot value={board}>
      <div className="with-panel">
        <main className="board" ref={page} style={themeStyle(dashboard.config.theme) as CSSProperties}>
          <BoardHeader dashboard={dashboard} page={page} ways={ways} panels={panels} />
          {shown.length === 0 ? (
            <EmptyState title={t('dashboardEmpty')} hint="" />
          ) : (
            <Grid widgets={shown} view={widget => <WidgetView widget={widget} />} />
          )}
          {drill !== null && <DrillDialog request={drill} onClose={() => setDrill(null)} />}
        </main>
        <OpenedPanel panels={panels} deploymentId={dashboard.deploymentId} publicId={dashboard.publicId} />
      </div>
    </BoardRoot>
  )
}

/** What the host asks of a dashboard while it is shown. @returns what stops listening. */
function followHost(board: Board, host: ReturnType<typeof useFrame>['frame']['host'], reload: () => void): () => void {
  const stops = [
    host.on('refresh', () => {
      board.turn.set(nextTurn('no-cache'))
      reload()
    }),
    host.on('set-filter', ({ filterUrlParameter }) => {
      if (typeof filterUrlParameter !== 'string') return
      const at = filterUrlParameter.indexOf('=')
      const parameter = filterUrlParameter.slice(0, at)
      const control = board.controls.get(parameter)
      if (at < 0 || control === undefined) return
      const text = filterUrlParameter.slice(at + 1)
      const value = text === '' ? null : readParameter(control, text)
      if (text === '' || value !== null) board.change(parameter, value)
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** The frame's own address says how the controls are set, in the format that it is read in. */
function writeAddress(board: Board): () => void {
  const write = () => {
    const texts = [...board.values.get()].flatMap(([parameter, value]) => {
      const text = writeParameter(value)
      return text === null ? [] : [[parameter, text] as const]
    })
    history.replaceState(history.state, '', withControls(location.href, new Map(texts)))
  }
  return board.values.subscribe(write)
}

/**
 * Asks anew while somebody looks, and at once when a page is seen again that is older.
 *
 * @param seconds how often; not a number: never. At most every five seconds.
 */
function refreshEvery(board: Board, seconds: number): (() => void) | undefined {
  if (!Number.isFinite(seconds) || seconds <= 0) return undefined
  const interval = Math.max(5, seconds) * 1000
  let last = performance.now()
  const look = () => {
    // Timers come a little early or late.
    if (document.visibilityState !== 'visible' || performance.now() - last < interval - 500) return
    last = performance.now()
    // What the source was asked for a moment ago, for another viewer, is good for this one too.
    board.turn.set(nextTurn('must-revalidate'))
  }
  const timer = setInterval(look, interval)
  document.addEventListener('visibilitychange', look)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', look)
  }
}
