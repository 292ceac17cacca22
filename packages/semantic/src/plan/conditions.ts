import { filterValueType } from '../operators/check-filter.ts'
import type { Condition, Expression, Value } from '../shapes/plan.ts'
import type { MemberFilter } from '../shapes/query.ts'
import type { DimensionType, FilterOperator, MeasureType } from '../shapes/vocabulary.ts'
import { readIso } from '../time/iso-digits.ts'
import { formatLocal, instantOf, lastInstantOf, parseIso } from '../time/local-time.ts'
import { givenRange, givenValues, type MakeValue } from './given-values.ts'

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
  const { operator } = filter
  const { expression } = target
  const isNull = (negated: boolean): Condition => ({ kind: 'null', expression, negated })
  const { present, hasNull, make } = givenValues(filter)
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
      const typed = present.map((_, position) => typedValue(target, make, position, timezone))
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
        (_, position): Condition => ({
          kind: 'like',
          expression,
          pattern: make(position, 'text', value => likePattern(operator, value)),
          negated,
        }),
      )
      const joined: Condition[] = matches.length > 0 ? [{ kind: negated ? 'and' : 'or', conditions: matches }] : []
      return withNull(joined, negated, hasNull, isNull)
    }
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte': {
      const sign = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const
      return { kind: 'compare', expression, operator: sign[operator], value: typedValue(target, make, 0, timezone) }
    }
    case 'measureFilter':
      return nothing
    default:
      return dateCondition(operator, expression, present.length, make, timezone)
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
  const only = conditions[0]
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

function typedValue(
  { kind, type }: Omit<FilterTarget, 'expression'>,
  make: MakeValue,
  position: number,
  timezone: string,
): Value {
  const valueType = filterValueType(kind, type)
  if (valueType === 'time') return make(position, 'timestamp', startIn(timezone))
  return make(position, valueType, valueType === 'boolean' ? booleanText : sameValue)
}

const sameValue = (value: string) => value
const booleanText = (value: string) => String(value === 'true' || value === '1')

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

/** Columns hold UTC without a zone, so that is what they are compared with. */
const timestamp = (instant: number): Value => ({ type: 'timestamp', value: formatLocal(instant) })

/** The instant of a local time of the zone, and the last one that belongs to a range ending there. */
const startIn = (timezone: string) =>
  timezone === 'UTC' ? asWritten : (local: string) => formatLocal(instantOf(localTime(local), timezone))
const endIn = (timezone: string) =>
  timezone === 'UTC' ? asWritten : (local: string) => formatLocal(lastInstantOf(localTime(local), timezone))

/** Of UTC a local time is its own instant, and mostly written as instants are. */
const asWritten = (local: string): string =>
  readIso(local)?.isDate === false ? local : formatLocal(instantOf(localTime(local), 'UTC'))

/**
 * The values of a filter that says which values are wanted; of a range of dates, its first and last instant. `null` for
 * filters that say it in another way, such as by what is not wanted.
 */
export function filterValues(filter: MemberFilter, type: DimensionType, timezone: string): readonly Value[] | null {
  const { operator, values } = filter
  const present = values.filter(value => value !== null)
  if (operator === 'inDateRange' || operator === 'onTheDate') {
    const [from, to = from] = present
    if (from === undefined || to === undefined) return null
    return [timestamp(instantOf(localTime(from), timezone)), timestamp(lastInstantOf(localTime(to), timezone))]
  }
  if ((operator !== 'equals' && operator !== 'in') || present.length < values.length) return null
  const { make } = givenValues(filter)
  return present.map((_, position) => typedValue({ kind: 'dimension', type }, make, position, timezone))
}

function localTime(text: string): number {
  const local = parseIso(text, 'UTC')?.local
  if (local === undefined) throw new Error(`A normalized query has '${text}' for a local time`)
  return local
}

type Comparison = Extract<Condition, { kind: 'compare' }>['operator']

function dateCondition(
  operator: FilterOperator,
  expression: Expression,
  count: number,
  make: MakeValue,
  timezone: string,
): Condition {
  if (count === 0) return nothing
  const last = count === 1 ? 0 : 1
  const start = (sign: Comparison): Condition => ({
    kind: 'compare',
    expression,
    operator: sign,
    value: make(0, 'timestamp', startIn(timezone)),
  })
  const end = (sign: Comparison, position: number): Condition => ({
    kind: 'compare',
    expression,
    operator: sign,
    value: make(position, 'timestamp', endIn(timezone)),
  })
  switch (operator) {
    case 'beforeDate':
      return start('<')
    case 'afterOrOnDate':
      return start('>=')
    case 'beforeOrOnDate':
      return end('<=', 0)
    case 'afterDate':
      return end('>', 0)
    case 'notInDateRange':
      return { kind: 'or', conditions: [start('<'), end('>', last)] }
    default:
      return { kind: 'and', conditions: [start('>='), end('<=', last)] }
  }
}

/** Both ends included; null where there is no end. */
export function rangeCondition(
  expression: Expression,
  dateRange: readonly [string | null, string | null],
  timezone: string,
): Condition {
  const { ends, make } = givenRange(dateRange)
  const conditions: Condition[] = []
  if (ends[0] !== null) {
    const value = make(0, 'timestamp', startIn(timezone))
    conditions.push({ kind: 'compare', expression, operator: '>=', value })
  }
  if (ends[1] !== null) {
    const value = make(1, 'timestamp', endIn(timezone))
    conditions.push({ kind: 'compare', expression, operator: '<=', value })
  }
  return { kind: 'and', conditions }
}
