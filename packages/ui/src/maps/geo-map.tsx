import { useEffect, useState } from 'react'
import { Chart, type ChartProps } from '../charts/chart.tsx'
import { useLocale } from '../formats/locale-context.tsx'
import { EmptyState, ErrorState, Notice, Skeleton } from '../states/states.tsx'
import { DataTable } from '../tables/data-table.tsx'
import { useTheme } from '../theme/theme-root.tsx'
import type { MapSpec } from './map-spec.ts'

/**
 * A result on a map: points by latitude and longitude, or countries and states of the US by name or code. Rows without a place are
 * counted below it. A specification that the report has itself is drawn instead.
 */
export function GeoMap(props: Omit<ChartProps, 'spec'> & { readonly spec?: unknown }) {
  const { spec, result, label, onDrill } = props
  const { t, locale } = useLocale()
  const theme = useTheme()
  const [made, setMade] = useState<MapSpec | null | 'loading' | Error>('loading')
  const hasOwn = spec !== undefined && spec !== null && spec !== ''
  useEffect(() => {
    if (hasOwn) return
    let isGone = false
    const make = async () => (await import('./map-spec.ts')).mapSpec(result, theme, locale)
    make().then(
      spec => isGone || setMade(spec),
      (error: unknown) => isGone || setMade(error instanceof Error ? error : new Error(String(error))),
    )
    return () => {
      isGone = true
    }
  }, [hasOwn, result, theme, locale])

  if (hasOwn) return <Chart {...props} spec={spec} />
  if (result.rows.length === 0) return <EmptyState />
  if (made === 'loading') return <Skeleton shape="chart" />
  if (made instanceof Error) return <ErrorState title={t('chartFailed')} message={made.message} />
  if (made === null) return <DataTable result={result} label={label} onDrill={onDrill} />
  return (
    <div className="hd-chart">
      <Chart {...props} spec={made.spec} />
      {made.unplaced > 0 && <Notice>{t('noPlaces', { count: made.unplaced })}</Notice>}
    </div>
  )
}
