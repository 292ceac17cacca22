import type { SecuredIndex } from '../access/secured-index.ts'
import { filteredMember } from '../query/find-member.ts'
import type { ModelIndex } from '../resolve/model-index.ts'
import type { DimensionExpression, FilterColumn, FilterParam } from '../shapes/model.ts'
import type { Condition, Expression, Value } from '../shapes/plan.ts'
import type { MemberFilter, QueryFilter } from '../shapes/query.ts'
import type { DimensionType } from '../shapes/vocabulary.ts'
import { acceptsNull, filterCondition, filterValues, nothing } from './conditions.ts'
import { comparesAlike } from './lambda-comparison.ts'

/** SQL of a column, with values for the arguments that it takes. */
export type ExpandColumn = (column: FilterColumn, values: readonly Expression[]) => Expression

interface Restating {
  readonly index: SecuredIndex
  readonly timezone: string
  readonly params: readonly FilterParam[]
  readonly isOptional: boolean
  readonly expandColumn: ExpandColumn
}

/**
 * The query's filters of the members in `params`, as a condition on the columns given there. Only what follows from the
 * query's filters is restated, so that the rows which the query is about are never fewer for it: of filters joined by `or`
 * all or nothing, and nothing where there are no such filters.
 */
export function restateFilters(restating: Restating, filters: readonly QueryFilter[]): Condition {
  return and(filters.flatMap(filter => restated(restating, filter) ?? []))
}

function restated(restating: Restating, filter: QueryFilter): Condition | null {
  if ('and' in filter) {
    const conditions = filter.and.flatMap(item => restated(restating, item) ?? [])
    return conditions.length > 0 ? and(conditions) : null
  }
  if ('or' in filter) {
    const conditions = filter.or.map(item => whole(restating, item))
    const sound = conditions.flatMap(condition => condition ?? [])
    return sound.length === conditions.length && sound.length > 0 ? { kind: 'or', conditions: sound } : null
  }
  return leaf(restating, filter)
}

/** A filter of which no part may be left out; `null` where one would be. */
function whole(restating: Restating, filter: QueryFilter): Condition | null {
  if ('or' in filter) return restated(restating, filter)
  if (!('and' in filter)) return leaf(restating, filter)
  const conditions = filter.and.map(item => whole(restating, item))
  const sound = conditions.flatMap(condition => condition ?? [])
  return sound.length === conditions.length && sound.length > 0 ? and(sound) : null
}

function leaf(
  { index, timezone, params, isOptional, expandColumn }: Restating,
  filter: MemberFilter,
): Condition | null {
  const { cube, definition } = filteredMember(index, filter)
  // What a caller filters by is what he is shown, not what is in the table.
  if (definition.kind !== 'dimension' || definition.masking) return null
  // A row that is left out of an optional table leaves nulls behind, and this filter would take them.
  if (isOptional && acceptsNull(filter)) return null
  const names = namesOf(index, cube.name, definition.name)
  // Rows of a time shift are not those that the query's filters describe.
  const param = params.find(({ member, isShifted }) => !isShifted && names.includes(member))
  if (!param) return null
  const { column } = param
  if (column.takes === null) {
    const target = { kind: 'dimension', type: definition.type, expression: expandColumn(column, []) } as const
    const condition = filterCondition(filter, target, timezone)
    return condition === nothing ? null : condition
  }
  const values = lambdaValues(filter, definition.type, column, timezone)
  if (values.length === 0) return null
  const expression = expandColumn(
    column,
    values.map((value): Expression => ({ kind: 'value', value })),
  )
  return { kind: 'sql', expression }
}

/**
 * The values of a filter for a function of them; none where its SQL could leave out rows that pass the filter, for what the
 * function makes of a value is its author's, whatever the filter's operator is.
 */
function lambdaValues(
  filter: MemberFilter,
  type: DimensionType,
  { sql, takes }: FilterColumn,
  timezone: string,
): readonly Value[] {
  const values = filterValues(filter, type, timezone)
  if (values) {
    const last = values.at(-1)
    // What is about the end of a range takes its end, where every row of the range is before that.
    if (takes === 1 && last && values.length > 1 && type === 'time' && comparesAlike(sql, '<')) {
      return comparesAlike(sql, '<=') ? [last] : []
    }
    // A list of values can't be told with fewer; the start of a date range can stand alone.
    const fits = values.length === takes || (type === 'time' && values.length >= (takes ?? 0))
    return fits ? values : []
  }
  const condition = filterCondition(filter, { kind: 'dimension', type, expression: { kind: 'one' } }, timezone)
  const isAlike = takes === 1 && condition.kind === 'compare' && comparesAlike(sql, condition.operator)
  return isAlike ? [condition.value] : []
}

const and = (conditions: readonly Condition[]): Condition => {
  const [only] = conditions
  return only && conditions.length === 1 ? only : { kind: 'and', conditions }
}

/** A dimension and those for which it only is another name. */
function namesOf(index: ModelIndex, cube: string, name: string): readonly string[] {
  const names: string[] = []
  let current: { cube: string; member: string } | null = { cube, member: name }
  while (current) {
    names.push(`${current.cube}.${current.member}`)
    const member = index.member(current.cube, current.member)
    current = member.kind === 'dimension' ? otherName(member.expression) : null
  }
  return names
}

function otherName(expression: DimensionExpression): { cube: string; member: string } | null {
  if (expression.kind !== 'sql') return null
  const [only, ...more] = expression.sql.parts
  return only !== undefined && more.length === 0 && typeof only !== 'string' && only.kind === 'member' ? only : null
}
