import { seriesColorsOnLight } from '@hedron/contract/series-colors'

const ink = '#334155'
const font = 'Inter, system-ui, sans-serif'

/** How charts look that say nothing else: the `config` of a Vega-Lite spec (SPEC, `serviceSqlApi`; UI.md, "Charts"). */
export const houseConfig: Readonly<Record<string, unknown>> = {
  background: '#FFFFFF',
  padding: 16,
  font,
  numberFormat: ',.2~f',
  timeFormat: '%Y-%m-%d',
  view: { stroke: null },
  axis: {
    domainColor: '#CBD5E1',
    gridColor: '#E2E8F0',
    labelColor: ink,
    labelFontSize: 12,
    labelLimit: 180,
    ticks: false,
    titleColor: ink,
    titleFontSize: 12,
    titleFontWeight: 600,
  },
  axisX: { grid: false },
  axisQuantitative: { format: '~s', tickCount: 5 },
  legend: { labelColor: ink, labelFontSize: 12, titleColor: ink, titleFontSize: 12, titleFontWeight: 600 },
  title: { anchor: 'start', color: ink, fontSize: 14, fontWeight: 600 },
  bar: { color: '#0F766E', cornerRadiusEnd: 2 },
  line: { color: '#0F766E', strokeWidth: 2, point: true },
  point: { filled: true, size: 40 },
  area: { color: '#0F766E', fillOpacity: 0.7 },
  range: {
    category: seriesColorsOnLight,
    heatmap: ['#F0FDFA', '#5EEAD4', '#0F766E', '#042F2E'],
    ramp: ['#F0FDFA', '#5EEAD4', '#0F766E', '#042F2E'],
    diverging: ['#B45309', '#FDE68A', '#F8FAFC', '#5EEAD4', '#0F766E'],
  },
  scale: { bandPaddingInner: 0.2, barBandPaddingInner: 0.2 },
}
