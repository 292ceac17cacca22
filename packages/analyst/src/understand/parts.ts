import type { AskedFilter, AskedMeasure, AskedThreshold, ChartKind, TimePart } from '../shapes/question.ts'
import type { DayRange, Grain } from '../times/calendar.ts'
import type { NamedMember } from '../vocabulary/vocabulary.ts'

/** Why a question cannot be answered as it stands. */
export type Problem =
  | { readonly kind: 'unknown'; readonly words: string }
  /** Several things could be meant. */
  | { readonly kind: 'ambiguous'; readonly words: string; readonly choices: readonly string[] }
  /** It is understood and cannot be answered, or something is missing. */
  | { readonly kind: 'impossible'; readonly message: string }

/** What the words of one question say; what they leave open is completed by the model or by the question before. */
export interface Parts {
  readonly measures: AskedMeasure[]
  /** The rows themselves were spoken of: `average delay of flights`. */
  rows: { readonly measure: AskedMeasure; readonly isAsked: boolean } | null
  readonly dimensions: NamedMember[]
  readonly filters: AskedFilter[]
  /** Conditions of the part whose share is asked for. */
  readonly partFilters: AskedFilter[]
  readonly having: AskedThreshold[]
  readonly ranges: {
    readonly range: DayRange
    readonly isYearless: boolean
    readonly ends: readonly [DayRange, DayRange] | null
  }[]
  /** Compared with the period before: which, where it was said. */
  earlier: { readonly grain: Grain | null } | null
  timeDimension: NamedMember | null
  grain: Grain | null
  /** A grain of the model's own. */
  ownGrain: string | null
  timePart: TimePart | null
  trend: boolean
  versus: boolean
  change: boolean
  share: boolean
  top: { readonly count: number | null; readonly descending: boolean; readonly ofRows: boolean } | null
  /** A number of groups that was said apart from the `most`. */
  topCount: number | null
  /** Values are to be listed: `which channels are there`. */
  isList: boolean
  /** Rows are counted by what they are: `how many transfers`. */
  countsRows: boolean
  /** Only one is asked for: `which airport has the most`. */
  isSingular: boolean
  descending: boolean | null
  orderBy: 'measure' | 'dimension' | null
  chart: ChartKind | null
  follow: 'and' | 'also' | 'only' | 'about' | null
  why: boolean
  readonly problems: Problem[]
  /** What was assumed, to be told. */
  readonly notes: string[]
}

export const emptyParts = (): Parts => ({
  measures: [],
  rows: null,
  dimensions: [],
  filters: [],
  partFilters: [],
  having: [],
  ranges: [],
  earlier: null,
  timeDimension: null,
  grain: null,
  ownGrain: null,
  timePart: null,
  trend: false,
  versus: false,
  change: false,
  share: false,
  top: null,
  topCount: null,
  isList: false,
  countsRows: false,
  isSingular: false,
  descending: null,
  orderBy: null,
  chart: null,
  follow: null,
  why: false,
  problems: [],
  notes: [],
})
