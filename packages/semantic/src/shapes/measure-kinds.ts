import type { AggregateFunction } from './plan.ts'
import { type MeasureType, measureTypes } from './vocabulary.ts'

/** All that rules of the engine depend on in a measure's type. A type can't be added without saying each of them. */
export interface MeasureKind {
  /** `rows` are aggregated by the type; `sql` aggregates, or calculates with measures; `groups` need several stages. */
  readonly of: 'rows' | 'sql' | 'groups'
  /** The aggregation that the type stands for; of `rows` there is always one. */
  readonly aggregate: AggregateFunction | null
  readonly values: 'number' | 'string' | 'time' | 'boolean'
  /** A row that a join repeats makes no difference. */
  readonly ignoresRepetition: boolean
  /** How values of parts become that of the whole, parts sharing no row; null where they don't tell. */
  readonly combine: AggregateFunction | null
  /** Every database of `dialects/` also computes the aggregation over a partition. */
  readonly overPartition: boolean
  /** What it gives of no rows. */
  readonly ofNothing: 0 | null
}

const rows = { of: 'rows', values: 'number', ignoresRepetition: false, overPartition: true, ofNothing: null } as const
const counted = { ...rows, ofNothing: 0 } as const
const sql = {
  of: 'sql',
  aggregate: null,
  ignoresRepetition: false,
  combine: null,
  overPartition: false,
  ofNothing: null,
} as const
const distinct = { ...counted, ignoresRepetition: true, combine: null, overPartition: false } as const

export const measureKinds: Readonly<Record<MeasureType, MeasureKind>> = {
  count: { ...counted, aggregate: 'count', combine: 'sum' },
  count_distinct: { ...distinct, aggregate: 'countDistinct' },
  count_distinct_approx: { ...distinct, aggregate: 'countDistinctApprox' },
  sum: { ...rows, aggregate: 'sum', combine: 'sum' },
  avg: { ...rows, aggregate: 'avg', combine: null },
  min: { ...rows, aggregate: 'min', ignoresRepetition: true, combine: 'min' },
  max: { ...rows, aggregate: 'max', ignoresRepetition: true, combine: 'max' },
  number: { ...sql, values: 'number' },
  string: { ...sql, values: 'string' },
  time: { ...sql, values: 'time' },
  boolean: { ...sql, values: 'boolean' },
  running_total: { ...rows, aggregate: 'sum', combine: 'sum' },
  number_agg: { ...sql, of: 'groups', values: 'number' },
  rank: { ...sql, of: 'groups', values: 'number' },
}

/** In the order of the vocabulary. */
export const typesOfRows: readonly MeasureType[] = measureTypes.filter(type => measureKinds[type].of === 'rows')
