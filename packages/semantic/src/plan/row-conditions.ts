import type { SecuredIndex } from '../access/secured-index.ts'
import { queryError } from '../messages/query-messages.ts'
import { filteredMember } from '../query/find-member.ts'
import type { Member } from '../resolve/model-index.ts'
import type { Condition } from '../shapes/plan.ts'
import type { QueryFilter } from '../shapes/query.ts'
import type { Interval } from '../shapes/window.ts'
import { addInterval } from '../time/calendar.ts'
import { formatLocal } from '../time/local-time.ts'
import { filterCondition, rangeCondition } from './conditions.ts'
import { expandDimension, expandSql, rowRuleCondition } from './expand.ts'
import { expandTime } from './expand-grain.ts'
import type { Expander } from './expander.ts'
import { leafFilters, type MemberRange, type QueryMembers } from './query-members.ts'

/** What of a query decides which rows it is about. */
export type RowFilters = Pick<QueryMembers, 'ranges' | 'segments' | 'rowFilters' | 'rules'>

export const noFilters: RowFilters = { ranges: [], segments: [], rowFilters: [], rules: [] }

/** The members that a query's rows are chosen by. */
export function rowMembers(index: SecuredIndex, { ranges, segments, rowFilters }: RowFilters): Member[] {
  const members: Member[] = []
  for (const { member } of ranges) members.push(member)
  for (const segment of segments) members.push(segment)
  for (const filter of rowFilters) members.push(...filterMembers(index, filter))
  return members
}

export const filterMembers = (index: SecuredIndex, filter: QueryFilter): Member[] =>
  leafFilters(filter).map(leaf => filteredMember(index, leaf))

/** The conditions that rows have to meet. */
export function rowConditions(expander: Expander, members: RowFilters): Condition[] {
  const { index } = expander
  const conditions: Condition[] = []
  for (const range of members.ranges) conditions.push(...rangeConditions(expander, range))
  for (const { cube, definition } of members.segments) {
    conditions.push({ kind: 'sql', expression: expandSql(expander, cube.name, definition.sql) })
  }
  for (const filter of members.rowFilters) conditions.push(rowCondition(expander, index, filter))
  for (const rule of members.rules) conditions.push(rowRuleCondition(expander, rule))
  return conditions
}

function rowCondition(expander: Expander, index: SecuredIndex, filter: QueryFilter): Condition {
  if ('and' in filter) return { kind: 'and', conditions: filter.and.map(item => rowCondition(expander, index, item)) }
  if ('or' in filter) return { kind: 'or', conditions: filter.or.map(item => rowCondition(expander, index, item)) }
  const { cube, definition } = filteredMember(index, filter)
  if (definition.kind === 'dimension') {
    const { time: expression, timezone } = expandTime(expander, cube.name, definition)
    return filterCondition(filter, { kind: 'dimension', type: definition.type, expression }, timezone)
  }
  if (definition.kind === 'segment') throw new Error(`A normalized query filters the segment '${filter.member}'`)
  // Other measures of the rows that it is about would show its value.
  if (definition.masking) {
    const hint = `'${filter.member}' is masked for you.`
    throw queryError('operator_unsupported', { operator: filter.operator, filter: JSON.stringify(filter), hint })
  }
  if (definition.stage && definition.filters.length > 0) {
    throw queryError('measure_filter_stage', { measure: filter.member })
  }
  const conditions = [...definition.filters, ...definition.drillFilters].map(
    (sql): Condition => ({ kind: 'sql', expression: expandSql(expander, cube.name, sql) }),
  )
  return { kind: 'and', conditions }
}

function rangeConditions(expander: Expander, { member, dateRange }: MemberRange): Condition[] {
  const { cube, definition } = member
  const { time, timezone } = expandTime(expander, cube.name, definition)
  const shifts = expander.stages.shiftsOf(cube.name, definition.name)
  const exact = rangeCondition(time, dateRange, timezone)
  if (shifts.length === 0) return [exact]
  const own = rangeCondition(
    expandDimension(expander, cube.name, definition),
    ownRange(dateRange, shifts),
    expander.timezone,
  )
  return shifts.some(({ months }) => months !== 0) ? [own, exact] : [own]
}

/** How far the shortening of long months can move a time, at most. */
const shortening = 5 * 86_400_000

/**
 * The times that shifts can move into a range, which a database finds by an index: all of those and, where months are
 * shortened, a few more.
 */
export function ownRange([from, to]: MemberRange['dateRange'], shifts: readonly Interval[]): MemberRange['dateRange'] {
  const back = (end: string | null, direction: number) => {
    if (end === null) return null
    const own = shifts.toReversed().reduce(
      (local, by) => {
        const moved = addInterval(local, by, -1)
        return by.months === 0 ? moved : moved + direction * shortening
      },
      Date.parse(`${end}Z`),
    )
    return formatLocal(own)
  }
  return [back(from, -1), back(to, 1)]
}
