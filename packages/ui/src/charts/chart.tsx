import './chart.css'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useLocale } from '../formats/locale-context.tsx'
import { IconButton } from '../parts/button.tsx'
import type { Drill } from '../results/drill.ts'
import type { Result } from '../results/result.ts'
import { ErrorState, Notice, Skeleton } from '../states/states.tsx'
import { DataTable } from '../tables/data-table.tsx'
import { useTheme } from '../theme/theme-root.tsx'
import { chartRows } from './chart-rows.ts'
import { ChartTooltip, type Hovered } from './chart-tooltip.tsx'
import { barsThatFit } from './crowded.ts'
import type { DrawnChart } from './draw-chart.ts'
import { type PreparedChart, prepareChart } from './prepare-chart.ts'
import { useSeriesColors } from './series-colors-root.tsx'
import { readSpec } from './spec.ts'
import { summarize } from './summary.ts'
import { drillOf, tooltipLines } from './tooltip-lines.ts'
import { useBox } from './use-box.ts'

export interface ChartProps {
  /** Vega-Lite or Vega, as JSON or as its text; its data is the result. */
  readonly spec: unknown
  readonly result: Result
  /** The chart's name, for screen readers and its table. */
  readonly label: string
  readonly onDrill?: ((drill: Drill) => void) | undefined
  readonly onLoadAll?: (() => void) | undefined
  /** Called when it is drawn, and with null when it is not any more: for pictures and for knowing that all is there. */
  readonly onDrawn?: ((chart: DrawnChart | null) => void) | undefined
}

/**
 * A chart, and the same as a table: `t` or its button goes from one to the other. Screen readers hear a summary. Drawing code is a
 * chunk of its own, read when the first chart comes.
 */
export function Chart(props: ChartProps) {
  const { spec, result, label, onDrill, onLoadAll } = props
  const { t, locale } = useLocale()
  const [isTable, setTable] = useState(false)
  const summary = useMemo(() => {
    try {
      return summarize(readSpec(spec), result, t, locale)
    } catch {
      return label
    }
  }, [spec, result, t, locale, label])
  const leftOut = result.totalRows !== undefined && result.totalRows > result.rows.length
  const [drawnRows, setDrawnRows] = useState<number | null>(null)

  function onKeyDown(event: KeyboardEvent) {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
    if (event.key !== 't' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return
    event.preventDefault()
    setTable(!isTable)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: one key for what its button does
    <div className="hd-chart" onKeyDown={onKeyDown}>
      {isTable ? (
        <DataTable result={result} label={label} onDrill={onDrill} onLoadAll={onLoadAll} />
      ) : (
        <Drawing {...props} summary={summary} onCut={setDrawnRows} />
      )}
      {!isTable && drawnRows !== null && (
        <Notice
          action={
            <button type="button" className="hd-link" onClick={() => setTable(true)}>
              {t('showTable')}
            </button>
          }
        >
          {t('rowsLeftOut', { shown: drawnRows, total: result.totalRows ?? result.rows.length })}
        </Notice>
      )}
      {!isTable && leftOut && drawnRows === null && (
        <Notice
          action={
            onLoadAll && (
              <button type="button" className="hd-link" onClick={onLoadAll}>
                {t('loadAllRows')}
              </button>
            )
          }
        >
          {t('rowsLeftOut', { shown: result.rows.length, total: result.totalRows ?? 0 })}
        </Notice>
      )}
      <div className="hd-chart-tools">
        <IconButton
          icon={isTable ? 'chart' : 'table'}
          label={isTable ? t('showChart') : t('showTable')}
          aria-keyshortcuts="t"
          aria-pressed={isTable}
          onClick={() => setTable(!isTable)}
        />
      </div>
    </div>
  )
}

interface DrawingProps extends ChartProps {
  readonly summary: string
  /** Told how many rows are drawn where there is no room for all; else null. */
  readonly onCut: (rows: number | null) => void
}

/** A chart that stands on the page, and the room that it was made for. */
interface Drawn extends Pick<PreparedChart, 'fits' | 'ranking'> {
  readonly chart: DrawnChart
  width: number
  height: number
}

function Drawing(props: DrawingProps): ReactNode {
  const { spec, result, label, summary, onDrill, onDrawn, onCut } = props
  const { t, locale } = useLocale()
  const theme = useTheme()
  const colors = useSeriesColors()
  const summaryId = useId()
  const box = useRef<HTMLDivElement>(null)
  const { width, height } = useBox(box)
  const [state, setState] = useState<'drawing' | 'drawn' | Error>('drawing')
  const [colorsRepeat, setColorsRepeat] = useState(false)
  const [hovered, setHovered] = useState<Hovered | null>(null)
  const [attempt, setAttempt] = useState(0)
  const drawn = useRef<Drawn | null>(null)
  const handlers = useRef({ onDrill, onDrawn })
  handlers.current = { onDrill, onDrawn }
  const hasRoom = width > 0 && height > 0
  const size = useRef({ width, height })
  size.current = { width, height }

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is made where other rows have room
  useEffect(() => {
    if (!hasRoom) return
    let isGone = false
    const canvas = document.createElement('div')
    async function draw() {
      const room = size.current
      const request = { spec, result, theme, locale, colors, width: room.width, height: room.height }
      const chart = prepareChart(request)
      const { drawChart } = await import('./draw-chart.ts')
      if (isGone) return
      const written = readSpec(spec)
      const next = await drawChart({
        container: canvas,
        chart,
        rows: chartRows(result),
        theme,
        locale,
        onHover: (values, at) => setHovered(at && { lines: tooltipLines(values, result, locale), ...at }),
        onClick: values => {
          const drill = drillOf(values, written, result)
          if (drill) handlers.current.onDrill?.(drill)
        },
      })
      if (isGone) {
        next.close()
        return
      }
      drawn.current?.chart.close()
      box.current?.replaceChildren(canvas)
      drawn.current = { chart: next, fits: chart.fits, ranking: chart.ranking, ...room }
      setColorsRepeat(chart.colorsRepeat)
      onCut(chart.ranking?.cut?.rows ?? null)
      setState('drawn')
      handlers.current.onDrawn?.(next)
    }
    draw().catch((error: unknown) => {
      if (!isGone) setState(error instanceof Error ? error : new Error(String(error)))
    })
    return () => {
      isGone = true
    }
  }, [spec, result, theme, locale, colors, hasRoom, onCut, attempt])

  useEffect(() => {
    const now = drawn.current
    if (!now?.fits || !hasRoom || (now.width === width && now.height === height)) return
    if (now.ranking && barsOf(now.ranking.names, now.height) !== barsOf(now.ranking.names, height)) {
      setAttempt(attempts => attempts + 1)
      return
    }
    Object.assign(now, { width, height })
    now.chart.resize(width, height).catch(() => undefined)
  }, [width, height, hasRoom])

  useEffect(
    () => () => {
      drawn.current?.chart.close()
      drawn.current = null
      handlers.current.onDrawn?.(null)
    },
    [],
  )

  if (state instanceof Error) return <ErrorState title={t('chartFailed')} message={state.message} />
  return (
    <>
      <div className="hd-chart-frame">
        {state === 'drawing' && (
          <div className="hd-chart-waits">
            <Skeleton shape="chart" />
          </div>
        )}
        <div
          ref={box}
          className="hd-chart-canvas"
          role="img"
          aria-label={label}
          aria-describedby={summaryId}
          data-drills={onDrill !== undefined || undefined}
          onPointerLeave={() => setHovered(null)}
        />
        <p id={summaryId} className="hd-hidden">
          {summary}
        </p>
      </div>
      {colorsRepeat && <Notice>{t('colorsRepeat')}</Notice>}
      {hovered && <ChartTooltip {...hovered} />}
    </>
  )
}

const barsOf = (names: number, height: number): number => Math.min(names, barsThatFit(height))
