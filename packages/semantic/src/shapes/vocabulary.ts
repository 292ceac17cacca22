/** The closed word lists of the model language and of queries (contract/behaviour/data-model.md, query.md section 4). */

export const dimensionTypes = ['string', 'number', 'boolean', 'time', 'geo', 'switch'] as const
export type DimensionType = (typeof dimensionTypes)[number]

export const measureTypes = [
  'count',
  'count_distinct',
  'count_distinct_approx',
  'sum',
  'avg',
  'min',
  'max',
  'number',
  'string',
  'time',
  'boolean',
  'running_total',
  'number_agg',
  'rank',
] as const
export type MeasureType = (typeof measureTypes)[number]

export const preAggregationTypes = ['rollup', 'original_sql', 'rollup_join', 'rollup_lambda'] as const
export type PreAggregationType = (typeof preAggregationTypes)[number]

export const partitionGranularities = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const
export type PartitionGranularity = (typeof partitionGranularities)[number]

export type Relationship = 'one_to_one' | 'one_to_many' | 'many_to_one'

/** Calendar units, smallest first. */
export const timeUnits = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const
export type TimeUnit = (typeof timeUnits)[number]

export const filterOperators = [
  'equals',
  'notEquals',
  'in',
  'notIn',
  'contains',
  'notContains',
  'startsWith',
  'notStartsWith',
  'endsWith',
  'notEndsWith',
  'gt',
  'gte',
  'lt',
  'lte',
  'set',
  'notSet',
  'inDateRange',
  'notInDateRange',
  'onTheDate',
  'beforeDate',
  'beforeOrOnDate',
  'afterDate',
  'afterOrOnDate',
  'measureFilter',
] as const
export type FilterOperator = (typeof filterOperators)[number]
