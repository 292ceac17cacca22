import { didYouMean } from './near-names.ts'

/** Every refusal of a query, by code. Texts are those of contract/behaviour/query.md where it has one. */
const table = {
  format: ({ reason }: { reason: string }) => `Invalid query format: ${reason}`,
  masked_members: (_: object) => 'maskedMembers cannot be provided in the query',
  expression: (_: object) => 'Expressions are not allowed in this context',
  empty: (_: object) =>
    'Query should contain either measures, dimensions or timeDimensions with granularities in order to be valid',
  operator_required: ({ filter }: { filter: string }) => `Operator required for filter: ${filter}`,
  operator_unsupported: ({ operator, filter, hint }: { operator: string; filter: string; hint: string }) =>
    `Operator ${operator} not supported for filter: ${filter}${hint && `. ${hint}`}`,
  values_required: ({ filter }: { filter: string }) => `Values required for filter: ${filter}`,
  values_invalid: ({ filter, reason }: { filter: string; reason: string }) => `${reason} Filter: ${filter}`,
  mixed_group: ({ filter }: { filter: string }) => `You cannot use dimension and measure in same condition: ${filter}`,
  limit_exceeded: ({ limit, maximum }: { limit: number; maximum: number }) =>
    `The query limit has been exceeded. Asked for ${limit} rows, at most ${maximum} are allowed.`,
  compare_once: (_: object) => 'compareDateRange can only exist for one timeDimension',
  compare_expands: (_: object) => 'compareDateRange makes several queries, and a single query is expected here',
  blending_granularities: (_: object) => 'Data blending query granularities must match',
  blending_without_granularity: (_: object) => 'Data blending query without granularity is not supported',
  date: ({ text }: { text: string }) => `Can't parse date: '${text}'`,
  timezone: ({ timezone }: { timezone: string }) =>
    `Invalid query format: "timezone" must be a time zone of the IANA database such as America/New_York, but it is '${timezone}'`,
  timezone_of_database: ({ timezone }: { timezone: string }) =>
    `The database of these data doesn't know the time zone '${timezone}'. Use another zone with the same clock.`,
  cube_not_found: ({ cube, path, known }: { cube: string; path: string; known: Iterable<string> }) =>
    withHint(`Cube '${cube}' not found for path '${path}'`, didYouMean(cube, known)),
  member_not_found: ({ member, path, known }: { member: string; path: string; known: Iterable<string> }) =>
    withHint(`'${member}' not found for path '${path}'`, didYouMean(member, known)),
  member_kind: ({ member, path, kind, list }: { member: string; path: string; kind: string; list: string }) =>
    `'${member}' not found for path '${path}' among ${list}: it is a ${kind}.`,
  granularity: ({
    granularity,
    dimension,
    known,
  }: {
    granularity: string
    dimension: string
    known: readonly string[]
  }) =>
    `Granularity '${granularity}' not found for '${dimension}'.${didYouMean(granularity, known)} Known: ${known.join(', ')}.`,
  not_time: ({ dimension, type }: { dimension: string; type: string }) =>
    `'${dimension}' is of type ${type}, and only dimensions of type time can be a timeDimension. Use it under dimensions and filters.`,
  hidden_member: ({ member }: { member: string }) =>
    `You requested hidden member: '${member}'. Please make it visible using \`public: true\`. Please note primaryKey fields are \`public: false\` by default.`,
  policy_value: ({ member, reason }: { member: string; reason: string }) =>
    `The access policy that filters '${member}' can't be applied to you: ${reason} Ask the author of the model, or whoever gave you your attributes.`,
  policy_condition: ({ source, value }: { source: string; value: unknown }) =>
    `Access policy condition must return boolean, got ${JSON.stringify(value)?.slice(0, 100)}, in '${source}'. Compare the value with something in the condition.`,
  order_member: ({ member, known }: { member: string; known: readonly string[] }) =>
    `Order member '${member}' is not part of the query.${didYouMean(member, known)} Order by a selected member: ${known.join(', ')}.`,
  no_join_path: ({ cubes }: { cubes: readonly string[] }) =>
    `Can't find join path to join ${cubes.map(cube => `'${cube}'`).join(', ')}`,
  join_loop: ({ cube, parents }: { cube: string; parents: readonly string[] }) =>
    `Can not construct joins for the query, potential loop detected: '${cube}' would be joined from ${parents.map(parent => `'${parent}'`).join(' and ')}. Query a view whose join_path fixes the way.`,
  join_order: ({ from, to, foreign }: { from: string; to: string; foreign: string }) =>
    `Can not construct joins for the query, potential loop detected: the join of '${from}' to '${to}' refers to '${foreign}', which can't be joined before '${to}'. Join '${foreign}' to '${from}'.`,
  fact_dimension: ({ member, fact, facts }: { member: string; fact: string; facts: readonly string[] }) =>
    `'${member}' can't be grouped by together with measures of ${facts.map(name => `'${name}'`).join(' and ')}, because it is not shared by '${fact}'. Group by dimensions that the view includes with a 'join_path' of one cube that every fact joins, or query one fact at a time.`,
  fact_filter: ({ members, facts }: { members: readonly string[]; facts: readonly string[] }) =>
    `The filter on ${members.map(name => `'${name}'`).join(', ')} can't be applied to measures of ${facts.map(name => `'${name}'`).join(' and ')} together. Filter dimensions that all of them share, or each fact's own in a filter of its own.`,
  fact_ungrouped: ({ facts }: { facts: readonly string[] }) =>
    `Ungrouped query can't have measures of ${facts.map(name => `'${name}'`).join(' and ')} together, because each row is of one of them. Query one at a time.`,
  data_sources: ({ sources }: { sources: readonly string[] }) =>
    `To join across data sources use rollupJoin with Cube Store. This query needs ${sources.map(source => `'${source}'`).join(' and ')}; query one at a time.`,
  primary_key_required: ({ cube }: { cube: string }) =>
    `primary key for '${cube}' is required when join is defined in order to make aggregates work properly`,
  foreign_cubes: ({ member, cubes }: { member: string; cubes: readonly string[] }) =>
    `Member '${member}' references foreign cubes: ${cubes.join(', ')}. Please split and move this definition to corresponding cubes.`,
  security_required: ({ column }: { column: string }) => `Filter for ${column} is required`,
  security_value: ({ path, reason }: { path: string; reason: string }) =>
    `The security context's '${path}' can't be used in the model's SQL: ${reason}`,
  window_range: ({ measure, dimension }: { measure: string; dimension: string }) =>
    `Time series queries without dateRange aren't supported: '${measure}' has a rolling window. Give '${dimension}' a dateRange.`,
  window_dimension: ({ measure, dimensions }: { measure: string; dimensions: readonly string[] }) =>
    `Rolling window requires one time dimension and equal date ranges. '${measure}' is asked for over ${dimensions.join(' and ')}.`,
  window_granularity: ({ measure, reason }: { measure: string; reason: string }) =>
    `'${measure}' has a rolling window, and ${reason}.`,
  stage_group_filter: ({ measure, filtered }: { measure: string; filtered: string }) =>
    `'filter' of '${measure}' chooses groups by '${filtered}', but one of these measures is computed in several stages, for which the groups are not settled. Use measures without a rolling window or stages of their own.`,
  measure_filter_stage: ({ measure }: { measure: string }) =>
    `The filters of '${measure}' choose groups, not rows, so measureFilter can't apply them. Filter dimensions instead.`,
  series_too_long: ({ count, limit }: { count: number; limit: number }) =>
    `The time series of this query would have ${count} periods, at most ${limit} are allowed. Ask for a shorter dateRange or a coarser granularity.`,
  stage_dimension: ({ measure, dimension }: { measure: string; dimension: string }) =>
    `'${measure}' is calculated from '${dimension}', which it is not grouped by. Add it to the query, or to 'grain.include' of the measure.`,
  stage_finer: ({ measure, dimensions, type }: { measure: string; dimensions: readonly string[]; type: string }) =>
    `'${measure}' is of type ${type} and has a value for each ${dimensions.join(', ')}, which this query doesn't group by. Add that to the query, or give the measure a type that aggregates, such as sum or number_agg.`,
  switch_undecided: ({ member, dimension }: { member: string; dimension: string }) =>
    `'${member}' depends on '${dimension}', and the query doesn't say which of its values is meant. Add '${dimension}' to the dimensions, or filter it to one value.`,
  switch_filter: ({ dimension }: { dimension: string }) =>
    `'${dimension}' is of type switch, and is filtered together with other members by 'or', or by an operator that is not for text. Filter it by itself.`,
  switch_policy: ({ dimension }: { dimension: string }) =>
    `Which rows you may see depends on '${dimension}', and the query doesn't say which of its values is meant. Add '${dimension}' to the dimensions, or filter it to one value.`,
  switch_ungrouped: (_: object) =>
    'Dimensions of type switch are no columns of rows. Leave them out of the ungrouped query.',
  time_shift_name: ({ measure, name, dimension }: { measure: string; name: string; dimension: string | null }) =>
    `'${measure}' is shifted by '${name}', which ${dimension === null ? 'no time dimension of this query defines' : `'${dimension}' does not define`}. Query a time dimension of the calendar cube that has a 'time_shift' of that name.`,
  calendar_shifts: ({ measure, calendar }: { measure: string; calendar: string }) =>
    `'${measure}' is shifted by SQL of the calendar '${calendar}' and shifted on it once more. Shift it once; a shift of two years, say, can have a 'time_shift' of its own.`,
  calendar_join: ({ calendar, key, cube }: { calendar: string; key: string; cube: string }) =>
    `'${calendar}' is shifted by SQL, but the join of '${cube}' and '${calendar}' does not refer to its key. Write '{${calendar}.${key}}' in the join.`,
  calendar_rows: ({ measure, calendar }: { measure: string; calendar: string }) =>
    `'${measure}' is aggregated from rows of the calendar '${calendar}' itself, which its shifts do not move. Shift measures of cubes that are joined to it.`,
  calendar_policy: ({ calendar }: { calendar: string }) =>
    `What you may see depends on days of the calendar '${calendar}', and under its shift by SQL rows count on other days than their own. Ask for measures that it doesn't shift.`,
  calendar_shift: ({ dimension, granularity }: { dimension: string; granularity: string }) =>
    `'${dimension}' is shifted by an interval, and the calendar's own SQL says when a ${granularity} of it begins, which is not shifted along. Define a 'time_shift' with 'sql' for it in the calendar, or ask for another granularity.`,
  fact_stages: ({ measure, facts }: { measure: string; facts: readonly string[] }) =>
    `'${measure}' is computed in several stages, which can't be done beside measures of other facts (${facts.join(', ')}). Ask for it in a query of its own.`,
  stage_dimension_window: ({ measure, dimension }: { measure: string; dimension: string }) =>
    `'${measure}' gathers rows of other periods, and '${dimension}' is computed for the periods of the query alone. Ask for them in a query without a granularity.`,
  stage_in_aggregate: ({ measure }: { measure: string }) =>
    `'${measure}' aggregates rows in its own SQL beside measures of several stages. Put the aggregation into a measure of its own and refer to that.`,
  ungrouped_stage: ({ measure }: { measure: string }) =>
    `'${measure}' is computed from groups, so it has no value for a single row. Leave it out of the ungrouped query.`,
  sub_query_stage: ({ dimension, measure }: { dimension: string; measure: string }) =>
    `'${dimension}' is a sub-query over '${measure}', which is computed in several stages. Refer to a measure that is aggregated from rows.`,
  ungrouped_keys: ({ keys }: { keys: readonly string[] }) =>
    `Ungrouped query requires primary keys to be present in dimensions: ${keys.map(key => `'${key}'`).join(', ')}. Pass allowUngroupedWithoutPrimaryKey option to disable this check.`,
  ungrouped_filter: (_: object) => "Measure filters aren't allowed in ungrouped query",
  ungrouped_measure: ({ measure }: { measure: string }) =>
    `'${measure}' aggregates in its own SQL, so it has no value for a single row. Leave it out of the ungrouped query.`,
}

function withHint(text: string, hint: string): string {
  return hint === '' ? text : `${text}.${hint}`
}

type Table = typeof table
export type QueryErrorCode = keyof Table
type AllDetails = { [C in QueryErrorCode]: Parameters<Table[C]>[0] }
const messages: { [C in QueryErrorCode]: (details: AllDetails[C]) => string } = table

/** Codes of what only the model tells; all others are wrong in the query alone. */
const userCodes: ReadonlySet<QueryErrorCode> = new Set<QueryErrorCode>([
  'cube_not_found',
  'member_not_found',
  'member_kind',
  'granularity',
  'not_time',
  'hidden_member',
  'policy_value',
  'policy_condition',
  'no_join_path',
  'join_loop',
  'join_order',
  'fact_dimension',
  'fact_filter',
  'fact_ungrouped',
  'data_sources',
  'primary_key_required',
  'foreign_cubes',
  'security_required',
  'security_value',
  'window_range',
  'window_dimension',
  'window_granularity',
  'stage_group_filter',
  'measure_filter_stage',
  'series_too_long',
  'stage_dimension',
  'stage_finer',
  'fact_stages',
  'stage_dimension_window',
  'stage_in_aggregate',
  'time_shift_name',
  'calendar_shift',
  'calendar_shifts',
  'calendar_join',
  'calendar_rows',
  'calendar_policy',
  'switch_undecided',
  'switch_filter',
  'switch_policy',
  'switch_ungrouped',
  'ungrouped_stage',
  'sub_query_stage',
  'ungrouped_keys',
  'ungrouped_filter',
  'ungrouped_measure',
  'mixed_group',
])

/**
 * A query that can't be answered as it was asked. `kind` is what the data API needs for its body and status: `validation`
 * for a malformed query, `user` for one that the model doesn't allow (contract/behaviour/query.md, section 3).
 */
export class QueryError extends Error {
  readonly code: QueryErrorCode
  readonly kind: 'validation' | 'user'

  constructor(code: QueryErrorCode, message: string) {
    super(message)
    this.name = 'QueryError'
    this.code = code
    this.kind = userCodes.has(code) ? 'user' : 'validation'
  }
}

/** A client that sends a name of a megabyte needn't get it back. */
const messageLimit = 2_000

export function queryError<C extends QueryErrorCode>(code: C, details: AllDetails[C]): QueryError {
  const message = messages[code](details)
  return new QueryError(code, message.length > messageLimit ? `${message.slice(0, messageLimit)}…` : message)
}
