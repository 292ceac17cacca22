import { filterValueType } from '../operators/check-filter.ts'
import type { Condition, Expression, Value } from '../shapes/plan.ts'
import type { MemberFilter } from '../shapes/query.ts'
import type { DimensionType, FilterOperator, MeasureType } from '../shapes/vocabulary.ts'
import { formatLocal, instantOf, lastInstantOf, parseIso } from '../time/local-time.ts'

/** The member that a filter is about, as an expression. */
export interface FilterTarget {
  readonly kind: 'dimension' | 'measure'
  readonly type: DimensionType | MeasureType
  readonly expression: Expression
}

/** Always true. */
export const nothing: Condition = { kind: 'and', conditions: [] }

/** The meaning of one filter (contract/behaviour/query.md, section 4, Operators). */
export function filterCondition(filter: MemberFilter, target: FilterTarget, timezone: string): Condition {
  const { operator, values } = filter
  const { expression } = target
  const isNull = (negated: boolean): Condition => ({ kind: 'null', expression, negated })
  const present = values.filter(value => value !== null)
  const hasNull = present.length < values.length
  const [first] = present
  switch (operator) {
    case 'set':
      return isNull(true)
    case 'notSet':
      return isNull(false)
    case 'equals':
    case 'in':
    case 'notEquals':
    case 'notIn': {
      const negated = operator === 'notEquals' || operator === 'notIn'
      const typed = present.map(value => typedValue(target, value, timezone))
      const matches: Condition[] = typed.length > 0 ? [{ kind: 'in', expression, values: typed, negated }] : []
      return withNull(matches, negated, hasNull, isNull)
    }
    case 'contains':
    case 'startsWith':
    case 'endsWith':
    case 'notContains':
    case 'notStartsWith':
    case 'notEndsWith': {
      const negated = operator.startsWith('not')
      const matches = present.map(
        (value): Condition => ({ kind: 'like', expression, pattern: likePattern(operator, value), negated }),
      )
      const joined: Condition[] = matches.length > 0 ? [{ kind: negated ? 'and' : 'or', conditions: matches }] : []
      return withNull(joined, negated, hasNull, isNull)
    }
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte': {
      const sign = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const
      return { kind: 'compare', expression, operator: sign[operator], value: typedValue(target, first ?? '', timezone) }
    }
    case 'measureFilter':
      return nothing
    default:
      return dateCondition(operator, expression, present, timezone)
  }
}

/** Null is matched only where it is listed: the positive forms add it, the negative ones remove it. */
function withNull(
  matches: readonly Condition[],
  negated: boolean,
  hasNull: boolean,
  isNull: (negated: boolean) => Condition,
): Condition {
  if (negated && hasNull) return { kind: 'and', conditions: [...matches, isNull(true)] }
  const conditions = negated || hasNull ? [...matches, isNull(false)] : matches
  const [only] = conditions
  return conditions.length === 1 && only ? only : { kind: 'or', conditions }
}

/** Whether a filter holds where its member is null. */
export function acceptsNull({ operator, values }: MemberFilter): boolean {
  if (operator === 'notSet') return true
  const isNegated = operator.startsWith('not') && operator !== 'notInDateRange'
  return isNegated !== values.includes(null)
}

function likePattern(operator: FilterOperator, value: string): string {
  const escaped = value.replace(/[\\%_]/g, character => `\\${character}`)
  if (operator === 'contains' || operator === 'notContains') return `%${escaped}%`
  return operator === 'startsWith' || operator === 'notStartsWith' ? `${escaped}%` : `%${escaped}`
}

function typedValue({ kind, type }: Omit<FilterTarget, 'expression'>, value: string, timezone: string): Value {
  const valueType = filterValueType(kind, type)
  if (valueType === 'time') return timestamp(instantOf(localTime(value), timezone))
  if (valueType === 'boolean') return { type: 'boolean', value: String(value === 'true' || value === '1') }
  return { type: valueType, value }
}

/** Columns hold UTC without a zone, so that is what they are compared with. */
/** How a time stands to a local time of a zone. */
export const compareTime = (
  expression: Expression,
  operator: Comparison,
  local: string,
  timezone: string,
): Condition => ({
  kind: 'compare',
  expression,
  operator,
  value: timestamp(instantOf(localTime(local), timezone)),
})

const timestamp = (instant: number): Value => ({ type: 'timestamp', value: formatLocal(instant) })

/**
 * The values of a filter that says which values are wanted; of a range of dates, its first and last instant. `null` for
 * filters that say it in another way, such as by what is not wanted.
 */
export function filterValues(
  { operator, values }: MemberFilter,
  type: DimensionType,
  timezone: string,
): readonly Value[] | null {
  const present = values.filter(value => value !== null)
  if (operator === 'inDateRange' || operator === 'onTheDate') {
    const [from, to = from] = present
    if (from === undefined || to === undefined) return null
    return [timestamp(instantOf(localTime(from), timezone)), timestamp(lastInstantOf(localTime(to), timezone))]
  }
  if ((operator !== 'equals' && operator !== 'in') || present.length < values.length) return null
  return present.map(value => typedValue({ kind: 'dimension', type }, value, timezone))
}

function localTime(text: string): number {
  // What a normalized query holds is mostly written in full, which the engine reads many times faster.
  const full = text.length === 23 ? Date.parse(`${text}Z`) : Number.NaN
  const local = Number.isNaN(full) ? parseIso(text, 'UTC')?.local : full
  if (local === undefined) throw new Error(`A normalized query has '${text}' for a local time`)
  return local
}

type Comparison = Extract<Condition, { kind: 'compare' }>['operator']

function dateCondition(
  operator: FilterOperator,
  expression: Expression,
  values: readonly string[],
  timezone: string,
): Condition {
  const [from, to] = values
  if (from === undefined) return nothing
  const compare = (sign: Comparison, instant: number): Condition => ({
    kind: 'compare',
    expression,
    operator: sign,
    value: timestamp(instant),
  })
  const start = instantOf(localTime(from), timezone)
  switch (operator) {
    case 'beforeDate':
      return compare('<', start)
    case 'afterOrOnDate':
      return compare('>=', start)
    case 'beforeOrOnDate':
      return compare('<=', lastInstantOf(localTime(from), timezone))
    case 'afterDate':
      return compare('>', lastInstantOf(localTime(from), timezone))
    case 'notInDateRange':
      return {
        kind: 'or',
        conditions: [compare('<', start), compare('>', lastInstantOf(localTime(to ?? from), timezone))],
      }
    default:
      return rangeCondition(expression, [from, to ?? from], timezone)
  }
}

/** Both ends included; null where there is no end. */
export function rangeCondition(
  expression: Expression,
  [from, to]: readonly [string | null, string | null],
  timezone: string,
): Condition {
  const compare = (operator: '>=' | '<=', instant: number): Condition => ({
    kind: 'compare',
    expression,
    operator,
    value: timestamp(instant),
  })
  return {
    kind: 'and',
    conditions: [
      ...(from === null ? [] : [compare('>=', instantOf(localTime(from), timezone))]),
      ...(to === null ? [] : [compare('<=', lastInstantOf(localTime(to), timezone))]),
    ],
  }
}
