import type { AskedFilter, AskedMeasure, AskedThreshold, ChartKind, TimePart } from '../shapes/question.ts'
import type { DayRange, Grain } from '../times/calendar.ts'
import type { EarlierWay } from '../times/read-period.ts'
import type { NamedMember } from '../vocabulary/vocabulary.ts'

/** Why a question cannot be answered as it stands. */
export type Problem =
  | { readonly kind: 'unknown'; readonly words: string }
  /** Several things could be meant. */
  | { readonly kind: 'ambiguous'; readonly words: string; readonly choices: readonly string[] }
  /** It is understood and cannot be answered, or something is missing. */
  | { readonly kind: 'impossible'; readonly message: string }

/** What makes a row the first of all: `the longest`, `the most expensive`, `the largest`. */
export type Property = 'length' | 'price' | 'size'

/** What the words of one question say; what they leave open is completed by the model or by the question before. */
export interface Parts {
  readonly measures: AskedMeasure[]
  /** The rows themselves were spoken of: `average delay of flights`. */
  rows: { readonly measure: AskedMeasure; readonly isAsked: boolean } | null
  readonly dimensions: NamedMember[]
  readonly filters: AskedFilter[]
  /** Conditions of the part whose share is asked for. */
  readonly partFilters: AskedFilter[]
  /** Conditions that were said of what is shared out, before it was said by what: `share of web orders by city`. */
  readonly sharedFilters: AskedFilter[]
  readonly having: AskedThreshold[]
  readonly ranges: {
    readonly range: DayRange
    readonly isYearless: boolean
    readonly ends: readonly [DayRange, DayRange] | null
  }[]
  /** Compared with the period before: which, where it was said. */
  earlier: { readonly grain: Grain | null; readonly way: EarlierWay } | null
  timeDimension: NamedMember | null
  /** The words that named it. */
  timeWords: string
  grain: Grain | null
  /** A grain of the model's own. */
  ownGrain: { readonly name: string; readonly dimension: NamedMember } | null
  timePart: TimePart | null
  /** Days of the week that were named, those of one word together. */
  readonly days: (readonly number[])[]
  trend: boolean
  /** Whether it became more or less is asked. */
  course: boolean
  /** It can be answered with yes or no: `has it grown?` */
  isWhether: boolean
  /** `do we have`, `are there`: of what there is, not of what happens. */
  asksThereAre: boolean
  /** The mean over what it is said for each of: `per day on average`. */
  onAverage: boolean
  /** A period, or a group, was said with a word such as `per`: `a day`, `per branch`. */
  perPeriod: boolean
  perGroup: boolean
  /** Rows of their own are asked for: `the longest rentals`. */
  extreme: {
    readonly property: Property
    readonly descending: boolean
    readonly count: number | null
    readonly isSingular: boolean
  } | null
  /** A number that was named behind a `by`: `the largest orders by amount`. */
  byNumber: NamedMember | null
  versus: boolean
  change: boolean
  share: boolean
  /** `as a share of all`: the conditions before it are those of the part. */
  shareOfAll: boolean
  top: {
    readonly count: number | null
    readonly descending: boolean
    readonly ofRows: boolean
    /** `best` and `worst`: which end that is depends on what is measured. */
    readonly isJudging: boolean
  } | null
  /** The word that asks for something by which the answer has to be broken down: `which`, `who`, `where`, `when`. */
  asksFor: 'group' | 'time' | null
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
  sharedFilters: [],
  having: [],
  ranges: [],
  earlier: null,
  timeDimension: null,
  timeWords: '',
  grain: null,
  ownGrain: null,
  timePart: null,
  days: [],
  trend: false,
  course: false,
  isWhether: false,
  asksThereAre: false,
  onAverage: false,
  perPeriod: false,
  perGroup: false,
  extreme: null,
  byNumber: null,
  versus: false,
  change: false,
  share: false,
  shareOfAll: false,
  top: null,
  asksFor: null,
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
