import type { Day, DayRange } from '../times/calendar.ts'

/** What is measured. Members by their full names. */
export type AskedMeasure =
  | { readonly kind: 'measure'; readonly member: string }
  /** An aggregate over a dimension that the model has no measure for. */
  | { readonly kind: 'aggregate'; readonly function: AggregateFunction; readonly member: string }
  /** One measure for each of another: revenue per order. */
  | { readonly kind: 'ratio'; readonly of: string; readonly per: string }

export type AggregateFunction = 'avg' | 'sum' | 'min' | 'max' | 'distinct'

export type Comparison = 'gt' | 'gte' | 'lt' | 'lte' | 'equals' | 'notEquals'

export type AskedFilter =
  | {
      readonly kind: 'values'
      readonly member: string
      readonly operator: 'equals' | 'notEquals' | 'contains' | 'notContains'
      readonly values: readonly string[]
    }
  | { readonly kind: 'number'; readonly member: string; readonly operator: Comparison; readonly value: number }
  | { readonly kind: 'flag'; readonly member: string; readonly value: boolean }
  | { readonly kind: 'segment'; readonly member: string; readonly isNegated: boolean }

export interface AskedThreshold {
  readonly measure: AskedMeasure
  readonly operator: Comparison
  readonly value: number
}

/** Part of a time that repeats; `weekend` tells days at weekends from the others. */
export type TimePart = 'weekday' | 'weekend' | 'hour' | 'month'

export interface AskedTime {
  readonly dimension: string
  readonly range: DayRange | null
  /** A grain of the usual ones or one of the model's own; `auto`: whatever suits the range. */
  readonly grain: string | null
  readonly part: TimePart | null
  /** Only these days of the week; Monday is 1. */
  readonly days: readonly number[] | null
}

export type ChartKind = 'bar' | 'line' | 'area' | 'pie' | 'scatter' | 'table'

/** A question as it was understood; plain JSON, and what the next question of a conversation builds on. */
export interface Question {
  /** The view or cube that is asked. */
  readonly source: string
  readonly measures: readonly AskedMeasure[]
  readonly dimensions: readonly string[]
  readonly filters: readonly AskedFilter[]
  readonly having: readonly AskedThreshold[]
  readonly time: AskedTime | null
  /** The other period that `time.range` is compared with. */
  readonly compare: DayRange | null
  /** Each group's part of the whole, or the part that some conditions leave. */
  readonly share: 'ofTotal' | { readonly filters: readonly AskedFilter[] } | null
  /** How much each period differs from the one before. */
  readonly changes: boolean
  /** How it went on is asked: from the first period that begins on `from` or later to the last that begins before `before`; others are not whole. */
  readonly course: { readonly from: Day | null; readonly before: Day } | null
  /** All that have come until the end of each period are counted, not those of the period. */
  readonly running: boolean
  /** The mean over the periods, or over the groups of the one dimension, in place of each of them. */
  readonly average: 'periods' | 'groups' | null
  /** The rows themselves that have most, or least, of this dimension; `dimensions` are what is shown of them. */
  readonly extremes: string | null
  /** `change`: how much a group differs between two periods that are compared. */
  readonly order: { readonly by: 'measure' | 'dimension' | 'change'; readonly descending: boolean } | null
  readonly limit: number | null
  readonly chart: ChartKind | null
}

/** Nothing is asked of a source yet. */
export const emptyQuestion = (source: string): Question => ({
  source,
  measures: [],
  dimensions: [],
  filters: [],
  having: [],
  time: null,
  compare: null,
  share: null,
  changes: false,
  course: null,
  running: false,
  average: null,
  extremes: null,
  order: null,
  limit: null,
  chart: null,
})
