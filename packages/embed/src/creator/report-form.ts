import type { ReportSnapshot } from '@hedron/contract'
import { namesOf, recordOf, textOf } from '../dashboard/model/widgets.ts'

export const chartKinds = ['bar', 'line', 'area', 'table', 'figure'] as const
export type ChartKind = (typeof chartKinds)[number]

/** What somebody fills in to make a report. */
export interface ReportForm {
  readonly name: string
  readonly measures: readonly string[]
  readonly dimensions: readonly string[]
  /** By time dimension. */
  readonly grains: Readonly<Record<string, string>>
  readonly kind: ChartKind
  readonly limit: number | null
}

export const emptyForm: ReportForm = { name: '', measures: [], dimensions: [], grains: {}, kind: 'bar', limit: null }

/** The query of the data API and the chart that a form stands for. */
export function reportOf({ name, measures, dimensions, grains, kind, limit }: ReportForm) {
  const timeDimensions = Object.entries(grains).map(([dimension, granularity]) => ({ dimension, granularity }))
  const query = {
    ...(measures.length > 0 ? { measures } : {}),
    ...(dimensions.length > 0 ? { dimensions } : {}),
    ...(timeDimensions.length > 0 ? { timeDimensions } : {}),
    ...(limit === null ? {} : { limit }),
  }
  const [firstTime] = Object.entries(grains)
  const [y] = measures
  const x = firstTime === undefined ? dimensions[0] : firstTime.join('.')
  const color = firstTime === undefined ? dimensions[1] : dimensions[0]
  const shown = kind === 'table' ? 'table' : kind === 'figure' || x === undefined || y === undefined ? 'kpi' : 'vega'
  const spec = {
    mark: kind,
    encoding: {
      x: { field: x, type: firstTime === undefined ? 'nominal' : 'temporal' },
      y: { field: y, type: 'quantitative' },
      ...(color === undefined ? {} : { color: { field: color, type: 'nominal' } }),
    },
  }
  return {
    name,
    jsonQuery: JSON.stringify(query),
    meta: { kind: shown, ...(shown === 'vega' ? { spec } : {}) } as const,
  }
}

/** The form of a report that was made with one; null for what a form cannot say. */
export function formOf(report: ReportSnapshot): ReportForm | null {
  if (!report.jsonQuery) return null
  const query = recordOf(JSON.parse(report.jsonQuery))
  const times = Array.isArray(query.timeDimensions) ? query.timeDimensions.map(recordOf) : []
  const mark = textOf(recordOf(report.spec).mark)
  const isPlain =
    query.filters === undefined &&
    query.segments === undefined &&
    times.every(each => typeof each.dimension === 'string' && typeof each.granularity === 'string' && !each.dateRange)
  if (!isPlain || (report.kind === 'vega' && chartKinds.every(kind => kind !== mark))) return null
  return {
    name: report.name ?? '',
    measures: namesOf(query.measures),
    dimensions: namesOf(query.dimensions),
    grains: Object.fromEntries(times.map(each => [String(each.dimension), String(each.granularity)])),
    kind: report.kind === 'kpi' ? 'figure' : (chartKinds.find(kind => kind === mark) ?? 'table'),
    limit: typeof query.limit === 'number' ? query.limit : null,
  }
}
