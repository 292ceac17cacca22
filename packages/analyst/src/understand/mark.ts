import type { ChartKind, Comparison, TimePart } from '../shapes/question.ts'
import type { Grain } from '../times/calendar.ts'
import type { NamedMember } from '../vocabulary/vocabulary.ts'

/** Words that say what to do with the members that a question names. */
export type Mark =
  | { readonly kind: 'group' }
  | {
      readonly kind: 'top'
      readonly count: number | null
      readonly descending: boolean
      readonly ofRows: boolean
      readonly isJudging: boolean
    }
  | {
      readonly kind: 'compare'
      readonly operator: Comparison
      readonly value: number
      readonly isPercent: boolean
      readonly unit: string | null
    }
  | { readonly kind: 'between'; readonly low: number; readonly high: number; readonly unit: string | null }
  | { readonly kind: 'not' }
  | { readonly kind: 'aggregate'; readonly function: 'avg' | 'sum' | 'min' | 'max' }
  | { readonly kind: 'count' }
  | { readonly kind: 'distinct' }
  | { readonly kind: 'share'; readonly ofAll: boolean }
  | { readonly kind: 'versus' }
  /** `quarter over quarter` says between which periods. */
  | { readonly kind: 'change'; readonly grain: Grain | null }
  | { readonly kind: 'trend' }
  | { readonly kind: 'grain'; readonly grain: Grain }
  /** A bare `month`: a grain where something is asked of months. */
  | { readonly kind: 'unit'; readonly grain: Grain }
  /** A grain of the model's own. */
  | { readonly kind: 'ownGrain'; readonly name: string; readonly dimension: NamedMember }
  | { readonly kind: 'part'; readonly part: TimePart }
  | { readonly kind: 'chart'; readonly chart: ChartKind }
  | { readonly kind: 'order'; readonly descending: boolean | null }
  | { readonly kind: 'which' }
  | { readonly kind: 'follow'; readonly way: 'and' | 'also' | 'only' | 'about' }
  | { readonly kind: 'why' }
  /** Days of the week, Monday is 1. */
  | { readonly kind: 'days'; readonly days: readonly number[] }
  /** Did it become more or less? */
  | { readonly kind: 'course' }
  | { readonly kind: 'onAverage' }
  /** `the longest`, of rows. */
  | {
      readonly kind: 'extreme'
      readonly property: 'length' | 'price'
      readonly descending: boolean
      readonly count: number | null
    }
