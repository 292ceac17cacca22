import type { Source } from '../vocabulary/vocabulary.ts'
import type { Token } from '../words/tokens.ts'
import type { Span } from './span.ts'

/** What reading one span knows of the others. */
export interface Place {
  readonly tokens: readonly Token[]
  readonly source: Source
  readonly spans: readonly Span[]
  readonly index: number
  readonly span: Span
  /** The words of the span as they were written. */
  readonly words: string
  /** Words between the span before and this one. */
  readonly before: readonly string[]
  /** Words between this span and the next. */
  readonly after: readonly string[]
  readonly previous: Span | null
  readonly next: Span | null
}

/** What words before a span mean for it. */
export interface Pending {
  /** Members that follow are what rows are grouped by. */
  group: boolean
  which: boolean
  not: boolean
  counting: boolean
  distinct: boolean
  sharing: boolean
  aggregate: 'avg' | 'sum' | 'min' | 'max' | null
  /** A number of them was asked for: `top 5`. */
  top: boolean
  direction: 'from' | 'to' | null
  /** A verb was passed: what follows is said of what came before. */
  isPredicate: boolean
  /** Spans that an earlier one has read already. */
  readonly taken: Set<number>
}

const connectors = new Set(['and', ',', '&', 'or', 'nor', '/', '+'])

export const isConnected = ({ before }: Place) =>
  before.length > 0 && before.every(word => connectors.has(word) || word === 'the')

/** `by state and month`: another one follows. */
export const isListed = ({ after, next }: Place) =>
  next !== null &&
  groups(next) &&
  after.length > 0 &&
  after.every(word => ['and', ',', '&', 'then', '/'].includes(word))

const groups = ({ meaning }: Span) =>
  meaning.kind === 'members' ||
  (meaning.kind === 'mark' && ['group', 'grain', 'ownGrain', 'unit', 'part'].includes(meaning.mark.kind))
