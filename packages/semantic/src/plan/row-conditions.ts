import type { SecuredIndex } from '../access/secured-index.ts'
import { findMember } from '../query/find-member.ts'
import type { Member } from '../resolve/model-index.ts'
import type { Condition } from '../shapes/plan.ts'
import type { QueryFilter } from '../shapes/query.ts'
import { filterCondition, rangeCondition } from './conditions.ts'
import { type Expander, expandDimension, expandSql, rowRuleCondition } from './expand.ts'
import { leafFilters, type QueryMembers } from './query-members.ts'

/** What of a query decides which rows it is about. */
export type RowFilters = Pick<QueryMembers, 'ranges' | 'segments' | 'rowFilters' | 'rules'>

export const noFilters: RowFilters = { ranges: [], segments: [], rowFilters: [], rules: [] }

/** The members that a query's rows are chosen by. */
export function rowMembers(index: SecuredIndex, { ranges, segments, rowFilters }: RowFilters): Member[] {
  return [
    ...ranges.map(({ member }) => member),
    ...segments,
    ...rowFilters.flatMap(filter => filterMembers(index, filter)),
  ]
}

export const filterMembers = (index: SecuredIndex, filter: QueryFilter): Member[] =>
  leafFilters(filter).map(({ member }) => findMember(index, member, () => true, 'members'))

/** The conditions that rows have to meet. */
export function rowConditions(expander: Expander, members: RowFilters): Condition[] {
  const { index, timezone } = expander
  return [
    ...members.ranges.map(({ member, dateRange }) =>
      rangeCondition(expandDimension(expander, member.cube.name, member.definition), dateRange, timezone),
    ),
    ...members.segments.map(
      ({ cube, definition }): Condition => ({
        kind: 'sql',
        expression: expandSql(expander, cube.name, definition.sql),
      }),
    ),
    ...members.rowFilters.map(filter => rowCondition(expander, index, filter)),
    ...members.rules.map(rule => rowRuleCondition(expander, rule)),
  ]
}

function rowCondition(expander: Expander, index: SecuredIndex, filter: QueryFilter): Condition {
  if ('and' in filter) return { kind: 'and', conditions: filter.and.map(item => rowCondition(expander, index, item)) }
  if ('or' in filter) return { kind: 'or', conditions: filter.or.map(item => rowCondition(expander, index, item)) }
  const { cube, definition } = findMember(index, filter.member, () => true, 'members')
  if (definition.kind === 'dimension') {
    const expression = expandDimension(expander, cube.name, definition)
    return filterCondition(filter, { kind: 'dimension', type: definition.type, expression }, expander.timezone)
  }
  if (definition.kind === 'segment') throw new Error(`A normalized query filters the segment '${filter.member}'`)
  const conditions = [...definition.filters, ...definition.drillFilters].map(
    (sql): Condition => ({ kind: 'sql', expression: expandSql(expander, cube.name, sql) }),
  )
  return { kind: 'and', conditions }
}
