// What pages use of Hedron's components. Everything here is small; charts, maps, Markdown and languages are chunks that come when
// they are needed.
export { Chart, type ChartProps } from './charts/chart.tsx'
export type { DrawnChart } from './charts/draw-chart.ts'
export { SeriesColorsRoot } from './charts/series-colors-root.tsx'
export { Kpi, type KpiProps } from './figures/kpi.tsx'
export { FlowChart } from './flows/lazy-flow-chart.tsx'
export {
  type CellFormat,
  cellFormat,
  type FormatOverride,
  overrideFormats,
  shortFormat,
} from './formats/cell-format.ts'
export { formatAge, formatDuration, formatMoment } from './formats/elapsed.ts'
export { LocaleRoot, type LocaleValue, useLocale } from './formats/locale-context.tsx'
export { GeoMap } from './maps/geo-map.tsx'
export { loadMessages } from './messages/load-messages.ts'
export { english } from './messages/locales/en-US.ts'
export { createTranslate, type MessageKey, type Messages, type Translate } from './messages/messages.ts'
export { defaultLocale, type Locale, locales, pickLocale, pickTimeZone } from './messages/pick-locale.ts'
export { Avatar } from './parts/avatar.tsx'
export { Button, IconButton } from './parts/button.tsx'
export { Icon, type IconName, Mark } from './parts/icons.tsx'
export { type Tab, Tabs } from './parts/tabs.tsx'
export type { Drill } from './results/drill.ts'
export { type LoadAnswer, resultOfLoad } from './results/from-load.ts'
export { resultOfSql, type SqlColumn } from './results/from-sql.ts'
export { type Cell, type Column, type ColumnFormat, numberOf, type Result } from './results/result.ts'
export { toCsv, toTsv } from './results/text.ts'
export { EmptyState, ErrorState, NoRightsState, Notice, Skeleton } from './states/states.tsx'
export { DataTable, type DataTableProps } from './tables/data-table.tsx'
export { TextWidget } from './text/text-widget.tsx'
export { resolveTheme, type Scheme, type SessionTheme, type Theme, themeVariables } from './theme/theme.ts'
export { ThemeRoot, useTheme } from './theme/theme-root.tsx'
