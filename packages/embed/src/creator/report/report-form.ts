import type { ReportSnapshot } from '@hedron/contract'
import { namesOf, recordOf } from '../../dashboard/model/widgets.ts'
import { type ChartKind, type Field, kindOf, shownAs } from './chart-spec.ts'

/** A condition on a member; texts, also of numbers. */
export interface FilterRow {
  readonly member: string
  readonly operator: string
  readonly values: readonly string[]
}

/** What somebody fills in to make a report. */
export interface ReportForm {
  readonly name: string
  /** Members that are picked, or a statement that is written. */
  readonly asks: 'members' | 'sql'
  readonly measures: readonly string[]
  readonly dimensions: readonly string[]
  /** By time dimension. */
  readonly grains: Readonly<Record<string, string>>
  readonly filters: readonly FilterRow[]
  readonly order: { readonly member: string; readonly direction: 'asc' | 'desc' } | null
  readonly kind: ChartKind
  readonly limit: number | null
  readonly sql: string
  /** Of the statement as it was run last. */
  readonly columns: readonly Field[]
}

export const emptyForm: ReportForm = {
  name: '',
  asks: 'members',
  measures: [],
  dimensions: [],
  grains: {},
  filters: [],
  order: null,
  kind: 'bar',
  limit: null,
  sql: '',
  columns: [],
}

/** Members that a form asks, in the order of its columns. */
export function membersOf({ measures, dimensions, grains }: ReportForm): string[] {
  return [...dimensions, ...Object.entries(grains).map(names => names.join('.')), ...measures]
}

/** Members that the rows of a form can be sorted by: a time by its own name, whichever step it is asked in. */
export const sortable = ({ measures, dimensions, grains }: ReportForm): string[] => [
  ...dimensions,
  ...Object.keys(grains),
  ...measures,
]

/** A condition that is not finished narrows nothing yet. */
export const isComplete = ({ operator, values }: FilterRow): boolean =>
  operator === 'set' || operator === 'notSet' || values.length > 0

/** The query of the data API, or the statement, and the chart that a form stands for. */
export function reportOf(form: ReportForm) {
  const { name, asks, measures, dimensions, grains, kind } = form
  if (asks === 'sql') {
    const figures = form.columns.filter(({ type }) => type === 'quantitative')
    const categories = form.columns.filter(({ type }) => type !== 'quantitative')
    return { name, jsonQuery: null, sqlQuery: form.sql, meta: { ...shownAs(kind, categories, figures) } }
  }
  const times = Object.entries(grains).map(([dimension, granularity]) => ({ dimension, granularity }))
  const filters = form.filters
    .filter(isComplete)
    .map(({ member, operator, values }) =>
      values.length === 0 || operator === 'set' || operator === 'notSet'
        ? { member, operator }
        : { member, operator, values },
    )
  const query = {
    ...(measures.length > 0 ? { measures } : {}),
    ...(dimensions.length > 0 ? { dimensions } : {}),
    ...(times.length > 0 ? { timeDimensions: times } : {}),
    ...(filters.length > 0 ? { filters } : {}),
    ...(form.order === null ? {} : { order: { [form.order.member]: form.order.direction } }),
    ...(form.limit === null ? {} : { limit: form.limit }),
  }
  const categories: Field[] = [
    ...times.map(({ dimension, granularity }) => ({ name: `${dimension}.${granularity}`, type: 'temporal' as const })),
    ...dimensions.map(dimension => ({ name: dimension, type: 'nominal' as const })),
  ]
  const figures = measures.map(measure => ({ name: measure, type: 'quantitative' as const }))
  return { name, jsonQuery: JSON.stringify(query), sqlQuery: null, meta: { ...shownAs(kind, categories, figures) } }
}

/** The form of a report that was made with one; null for what a form cannot say. */
export function formOf(report: ReportSnapshot): ReportForm | null {
  const kind = kindOf(report.kind, report.spec)
  if (kind === null) return null
  const named = { ...emptyForm, name: report.name ?? '', kind }
  if (report.sqlQuery) return { ...named, asks: 'sql', sql: report.sqlQuery }
  if (!report.jsonQuery) return null
  let query: Readonly<Record<string, unknown>>
  try {
    query = recordOf(JSON.parse(report.jsonQuery))
  } catch {
    return null
  }
  const { measures, dimensions, timeDimensions, filters, order, limit, ...more } = query
  const times = listOf(timeDimensions).map(recordOf)
  const rows = listOf(filters).map(filterRowOf)
  const sorted = orderOf(order)
  const isPlain =
    Object.keys(more).length === 0 &&
    rows.every(row => row !== null) &&
    sorted !== undefined &&
    times.every(each => typeof each.dimension === 'string' && typeof each.granularity === 'string' && !each.dateRange)
  if (!isPlain) return null
  return {
    ...named,
    measures: namesOf(measures),
    dimensions: namesOf(dimensions),
    grains: Object.fromEntries(times.map(each => [String(each.dimension), String(each.granularity)])),
    filters: rows.flatMap(row => row ?? []),
    order: sorted,
    limit: typeof limit === 'number' ? limit : null,
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** @returns null for a group of conditions. */
function filterRowOf(value: unknown): FilterRow | null {
  const { member, operator, values, ...more } = recordOf(value)
  if (typeof member !== 'string' || typeof operator !== 'string' || Object.keys(more).length > 0) return null
  return { member, operator, values: listOf(values).map(String) }
}

/** By one member, as this form writes it; null: by none; undefined: in another way. */
function orderOf(order: unknown): ReportForm['order'] | undefined {
  if (order === undefined) return null
  const entries = Object.entries(recordOf(order))
  const [[member, direction] = []] = entries
  if (entries.length !== 1 || member === undefined) return undefined
  return direction === 'asc' || direction === 'desc' ? { member, direction } : undefined
}
