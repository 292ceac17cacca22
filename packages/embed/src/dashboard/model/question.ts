import type { ReportSnapshot } from '@hedron/contract'
import type { SqlFilter } from '../../frame/sql-filter.ts'
import type { Control, ControlValues } from './controls.ts'
import { recordOf } from './widgets.ts'

/** What is asked for a report, with what the viewer has chosen in it. */
export type Question =
  | {
      readonly kind: 'load'
      readonly query: Readonly<Record<string, unknown>>
      /** Names of columns as the report knows them, by those of the answer: where a member or a granularity was switched. */
      readonly renamed: ReadonlyMap<string, string>
      /** Whether the report itself says how many rows it wants. */
      readonly isLimited: boolean
      /** Titles of controls that are set and have nothing to do with it. */
      readonly passedOver: readonly string[]
    }
  | {
      readonly kind: 'sql'
      readonly query: string
      /** What is set in filters. Which of them hold is said by the answer: those whose member is a column of it. */
      readonly filters: readonly (SqlFilter & {
        readonly title: string
        /** Whether the statement seems to be about the same table, so that a filter that does not hold is worth a word. */
        readonly concerns: boolean
      })[]
    }
  | { readonly kind: 'none'; readonly reason: string }

interface TimeDimension {
  readonly dimension: string
  readonly granularity?: string
  readonly dateRange?: unknown
}

/** @param timezone undefined: that of the deployment. */
export function questionOf(
  report: ReportSnapshot,
  controls: ReadonlyMap<string, Control>,
  values: ControlValues,
  timezone: string | undefined,
): Question {
  const set = [...values].flatMap(([parameter, value]) => {
    const control = controls.get(parameter)
    const isEmpty = typeof value !== 'string' && value.values.length === 0 && !/^(?:set|notSet)$/.test(value.operator)
    return control === undefined || isEmpty ? [] : [{ control, value }]
  })
  const nameOf = (control: Control) => control.title ?? control.member
  if (report.jsonQuery) {
    let query: Readonly<Record<string, unknown>>
    try {
      query = recordOf(JSON.parse(report.jsonQuery))
    } catch {
      return { kind: 'none', reason: 'The query of the report is not JSON.' }
    }
    const change = changed(query)
    const passedOver: string[] = []
    for (const { control, value } of set) {
      const applies =
        typeof value === 'string'
          ? control.kind === 'grain'
            ? change.grain(control.member, value)
            : change.member(control.member, value)
          : change.filter(control.member, value.operator, value.values)
      if (!applies && control.kind === 'filter') passedOver.push(nameOf(control))
    }
    const zone = timezone === undefined ? {} : { timezone }
    const isLimited = typeof query.limit === 'number'
    return { kind: 'load', query: { ...change.query(), ...zone }, renamed: change.renamed, isLimited, passedOver }
  }
  if (report.sqlQuery) {
    const filters = set.flatMap(({ control, value }) => {
      if (typeof value === 'string') return []
      const { operator, values } = value
      const { member } = control
      const concerns = mentions(report.sqlQuery, member)
      return [{ member, operator, ...(values.length === 0 ? {} : { values }), title: nameOf(control), concerns }]
    })
    return { kind: 'sql', query: report.sqlQuery, filters }
  }
  return { kind: 'none', reason: 'The report has no query.' }
}

const cubeOf = (member: string) => member.split('.')[0] ?? ''
const mentions = (sql: string | null | undefined, member: string) =>
  new RegExp(`\\b${cubeOf(member).replace(/\W/g, '')}\\b`, 'i').test(sql ?? '')

/** A query that is changed step by step; each step says whether it concerns the query. */
function changed(original: Readonly<Record<string, unknown>>) {
  const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
  let measures = list(original.measures).map(String)
  let dimensions = list(original.dimensions).map(String)
  let timeDimensions = list(original.timeDimensions).flatMap(each => timeDimensionOf(each) ?? [])
  let filters = list(original.filters)
  let order = original.order
  const renamed = new Map<string, string>()
  const cubes = new Set([...measures, ...dimensions, ...timeDimensions.map(each => each.dimension)].map(cubeOf))

  return {
    renamed,
    filter(member: string, operator: string, values: readonly string[]): boolean {
      if (!cubes.has(cubeOf(member))) return false
      if (operator === 'inDateRange') withRange(member, values)
      else filters = [...filters, values.length === 0 ? { member, operator } : { member, operator, values }]
      return true
    },
    grain(member: string, granularity: string): boolean {
      const isThere = timeDimensions.some(each => each.dimension === member && each.granularity !== undefined)
      timeDimensions = timeDimensions.map(each => {
        if (each.dimension !== member || each.granularity === undefined || each.granularity === granularity) return each
        renamed.set(`${member}.${granularity}`, `${member}.${each.granularity}`)
        return { ...each, granularity }
      })
      return isThere
    },
    member(replaced: string, chosen: string): boolean {
      if (replaced === chosen) return true
      const isThere = [...measures, ...dimensions].includes(replaced)
      const swap = (name: string) => (name === replaced ? chosen : name)
      measures = measures.map(swap)
      dimensions = dimensions.map(swap)
      order = swapInOrder(order, swap)
      if (isThere) renamed.set(chosen, replaced)
      return isThere
    },
    query: (): Readonly<Record<string, unknown>> => ({
      ...original,
      ...(measures.length > 0 ? { measures } : {}),
      ...(dimensions.length > 0 ? { dimensions } : {}),
      ...(timeDimensions.length > 0 ? { timeDimensions } : {}),
      ...(filters.length > 0 ? { filters } : {}),
      ...(order === undefined ? {} : { order }),
    }),
  }

  /** A range by name, such as `last 30 days`, is one text. A range that the report has itself holds beside it. */
  function withRange(member: string, values: readonly string[]): void {
    const dateRange = values.length === 1 ? values[0] : values
    const at = timeDimensions.findIndex(each => each.dimension === member && each.dateRange === undefined)
    timeDimensions =
      at < 0
        ? [...timeDimensions, { dimension: member, dateRange }]
        : timeDimensions.map((each, index) => (index === at ? { ...each, dateRange } : each))
  }
}

function timeDimensionOf(value: unknown): TimeDimension | null {
  const record = recordOf(value)
  if (typeof record.dimension !== 'string') return null
  const { granularity, dateRange } = record
  return {
    dimension: record.dimension,
    ...(typeof granularity === 'string' ? { granularity } : {}),
    ...(dateRange === undefined ? {} : { dateRange }),
  }
}

function swapInOrder(order: unknown, swap: (name: string) => string): unknown {
  if (Array.isArray(order)) {
    return order.map(each => (Array.isArray(each) ? [swap(String(each[0])), each[1]] : each))
  }
  if (typeof order !== 'object' || order === null) return order
  return Object.fromEntries(Object.entries(order).map(([name, direction]) => [swap(name), direction]))
}
