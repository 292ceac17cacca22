import type { Question } from './question.ts'
import { recordOf } from './widgets.ts'

/** Records shown at once; where there are more, the table says how many. */
const mostRecords = 1000

/**
 * The question for the records behind a value: those that its measure names in the model, for the row that it stands in, under everything that the
 * report and the viewer have filtered. Without drill members, the dimensions of the row itself beside the measure.
 *
 * @param behind the question that the value answers.
 * @param drillMembers as the model names them for the measure that was asked.
 */
export function recordsOf(drill: Drilled, behind: AskedQuestion, drillMembers: readonly string[] = []): Question {
  const { query } = behind
  const rowFilters: object[] = []
  const rowRanges: object[] = []
  for (const name of namesOf(query.dimensions)) {
    const value = drill.values[shownAs(behind, name)]
    if (value === undefined) continue
    rowFilters.push(
      value === null
        ? { member: name, operator: 'notSet' }
        : { member: name, operator: 'equals', values: [String(value)] },
    )
  }
  const ranges: object[] = []
  const steps: string[] = []
  for (const each of Array.isArray(query.timeDimensions) ? query.timeDimensions.map(recordOf) : []) {
    const { dimension, granularity, dateRange } = each
    if (typeof dimension !== 'string') continue
    if (dateRange !== undefined) ranges.push({ dimension, dateRange })
    if (typeof granularity !== 'string') continue
    steps.push(dimension)
    const start = drill.values[shownAs(behind, `${dimension}.${granularity}`)]
    if (start === null) rowFilters.push({ member: dimension, operator: 'notSet' })
    if (typeof start !== 'string') continue
    const range = rangeOf(start, granularity)
    if (range === null) return { kind: 'none', reason: `How long a step of "${granularity}" is, is not known here.` }
    rowRanges.push({ dimension, dateRange: range })
  }
  const own = Array.isArray(query.filters) ? query.filters : []
  const dimensions = drillMembers.length > 0 ? drillMembers : [...namesOf(query.dimensions), ...steps]
  const asked = {
    ...(drillMembers.length > 0 ? {} : { measures: [measureOf(drill, behind)] }),
    dimensions,
    filters: [...own, ...rowFilters],
    timeDimensions: [...ranges, ...rowRanges],
    ...(query.segments === undefined ? {} : { segments: query.segments }),
    ...(query.timezone === undefined ? {} : { timezone: query.timezone }),
    limit: mostRecords,
  }
  return { kind: 'load', query: asked, renamed: new Map(), isLimited: false, passedOver: [] }
}

/** What somebody wants to look behind: a measure, and the values of the row that it stands in, by the names of the report. */
export interface Drilled {
  readonly member: string
  readonly value: string | number | boolean | null
  readonly values: Readonly<Record<string, string | number | boolean | null>>
}

export type AskedQuestion = Question & { readonly kind: 'load' }

/** The measure that was asked for, which is another one than the report's where the viewer chose so. */
export function measureOf(drill: Drilled, behind: AskedQuestion): string {
  const asked = [...behind.renamed].find(([, shown]) => shown === drill.member)
  return asked?.[0] ?? drill.member
}

const shownAs = ({ renamed }: AskedQuestion, name: string): string => renamed.get(name) ?? name

const namesOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

const milliseconds: Readonly<Record<string, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
}
const months: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 }

/** The first and the last moment of a step of time, in the clock of the query's zone; null: a granularity of the model's own. */
function rangeOf(start: string, granularity: string): readonly [string, string] | null {
  const first = new Date(start.length === 10 ? `${start}T00:00:00Z` : `${start.slice(0, 19)}Z`)
  const next = new Date(first)
  const count = months[granularity]
  const length = milliseconds[granularity]
  if (count !== undefined) next.setUTCMonth(next.getUTCMonth() + count)
  else if (length !== undefined) next.setTime(next.getTime() + length)
  else return null
  if (Number.isNaN(next.getTime())) return null
  const text = (moment: number) => new Date(moment).toISOString().slice(0, -1)
  return [text(first.getTime()), text(next.getTime() - 1)]
}
