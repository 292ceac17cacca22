import './flow-chart.css'
import { useMemo, useRef, useState } from 'react'
import { useBox } from '../charts/use-box.ts'
import { cellFormat } from '../formats/cell-format.ts'
import { useLocale } from '../formats/locale-context.tsx'
import { IconButton } from '../parts/button.tsx'
import type { Result } from '../results/result.ts'
import { ErrorState, Notice } from '../states/states.tsx'
import { DataTable } from '../tables/data-table.tsx'
import { useTheme } from '../theme/theme-root.tsx'
import { type Flow, flowColumns, layFlows, nodeWidth } from './flow-layout.ts'

interface FlowChartProps {
  readonly result: Result
  readonly label: string
  readonly onLoadAll?: (() => void) | undefined
}

/** What flows from where to where (a Sankey diagram): a level for each text column, as wide as the first measure. `t` shows the table. */
export default function FlowChart({ result, label, onLoadAll }: FlowChartProps) {
  const { t } = useLocale()
  const [isTable, setTable] = useState(false)
  const leftOut = result.totalRows !== undefined && result.totalRows > result.rows.length
  if (flowColumns(result) === null) {
    return (
      <>
        <Notice kind="warning">{t('flowColumns')}</Notice>
        <DataTable result={result} label={label} onLoadAll={onLoadAll} />
      </>
    )
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key is that of the button inside
    <div
      className="hd-chart hd-flow"
      onKeyDown={event => {
        if (event.key === 't' && !event.ctrlKey && !event.metaKey && !event.altKey) setTable(!isTable)
      }}
    >
      <div className="hd-chart-tools">
        <IconButton
          icon={isTable ? 'chart' : 'table'}
          label={isTable ? t('showChart') : t('showTable')}
          onClick={() => setTable(!isTable)}
        />
      </div>
      {isTable ? (
        <DataTable result={result} label={label} onLoadAll={onLoadAll} />
      ) : (
        <Drawn result={result} label={label} />
      )}
      {leftOut && !isTable && (
        <Notice>{t('rowsLeftOut', { shown: result.rows.length, total: result.totalRows ?? 0 })}</Notice>
      )}
    </div>
  )
}

/** Room for the names beside the last level. */
const nameRoom = 120
/** Letters that it has room for. */
const longestName = 16

function Drawn({ result, label }: { readonly result: Result; readonly label: string }) {
  const { t, locale } = useLocale()
  const theme = useTheme()
  const element = useRef<HTMLDivElement>(null)
  const box = useBox(element)
  const [hovered, setHovered] = useState<Flow | null>(null)
  const width = Math.max(80, box.width - nameRoom)
  const height = Math.max(80, box.height - 8)
  const layout = useMemo(() => layFlows(result, width, height), [result, width, height])
  const columns = flowColumns(result)
  const measure = columns === null ? undefined : result.columns[columns.figure]
  const format = measure === undefined ? String : (value: number) => cellFormat(measure, locale)(value)
  const textOf = ({ from, to, value }: Flow) => `${from.name} → ${to.name}: ${format(value)}`
  const places = [...new Set(layout?.nodes.filter(({ level }) => level === 0).map(({ name }) => name))]
  const colorOf = (name: string) =>
    theme.series[Math.max(0, places.indexOf(name)) % theme.series.length] ?? theme.colors.muted
  const summary = layout?.flows
    .toSorted((one, other) => other.value - one.value)
    .slice(0, 5)
    .map(textOf)
    .join('; ')
  if (layout?.isTooMuch) return <ErrorState title={t('chartFailed')} message={t('flowTooMuch')} />
  return (
    <div ref={element} className="hd-flow-box">
      {layout !== null && box.width > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: `t` is heard here
        <div role="img" aria-label={`${label}. ${summary ?? ''}`} tabIndex={0}>
          <svg width={width + nameRoom} height={height + 8} aria-hidden="true">
            <g transform="translate(0 4)">
              {layout.flows.map(flow => (
                <path
                  key={`${flow.from.level} ${flow.from.name} ${flow.to.name}`}
                  d={pathOf(flow)}
                  fill="none"
                  stroke={colorOf(flow.from.name)}
                  strokeWidth={Math.max(1, flow.width)}
                  strokeOpacity={hovered === flow ? 0.7 : 0.35}
                  onPointerEnter={() => setHovered(flow)}
                  onPointerLeave={() => setHovered(null)}
                />
              ))}
              {layout.nodes.map(node => (
                <g key={`${node.level} ${node.name}`}>
                  <rect
                    x={node.x}
                    y={node.y}
                    width={nodeWidth}
                    height={Math.max(1, node.height)}
                    fill={theme.colors.muted}
                  />
                  {node.height >= 8 && (
                    <text x={node.x + nodeWidth + 6} y={node.y + node.height / 2} dy="0.35em" fill={theme.colors.text}>
                      {node.name.length > longestName ? `${node.name.slice(0, longestName - 1)}…` : node.name}
                    </text>
                  )}
                </g>
              ))}
            </g>
          </svg>
        </div>
      )}
      <p className="hd-flow-said">{hovered === null ? '' : textOf(hovered)}</p>
      {layout !== null && layout.leftOut > 0 && <Notice>{t('flowLeftOut', { count: layout.leftOut })}</Notice>}
    </div>
  )
}

function pathOf({ from, to, width, y0, y1 }: Flow): string {
  const [x0, x1] = [from.x + nodeWidth, to.x]
  const middle = (x0 + x1) / 2
  const [start, end] = [y0 + width / 2, y1 + width / 2]
  return `M${x0} ${start}C${middle} ${start} ${middle} ${end} ${x1} ${end}`
}
