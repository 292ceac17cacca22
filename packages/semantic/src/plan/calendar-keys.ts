import type { SecuredIndex } from '../access/secured-index.ts'
import { queryError } from '../messages/query-messages.ts'
import type { Edge } from '../resolve/join-graph.ts'
import type { BoundSql, Join } from '../shapes/model.ts'
import type { Expression } from '../shapes/plan.ts'
import { expandSql } from './expand.ts'
import type { Expander } from './expander.ts'
import { joinPathsOf } from './join-paths.ts'
import type { JoinTree } from './join-tree.ts'
import { leavesOf } from './measures.ts'
import { askedMembers, type QueryMembers, ruleLeaves } from './query-members.ts'

/** SQL of a calendar that joins of it use in place of its primary key: so a day has the rows of another day. */
export interface JoinKey {
  readonly cube: string
  /** The primary key. */
  readonly dimension: string
  readonly sql: BoundSql
}

/** The calendar's key that a join looks for, when that is replaced: of joins that lead to one day. */
const keyOf = (keys: readonly JoinKey[], { from, to, join }: Edge<Join>) =>
  keys.find(({ cube }) =>
    join.relationship === 'one_to_one'
      ? cube === from || cube === to
      : cube === (join.relationship === 'many_to_one' ? to : from),
  )

/** The same joins, where a row may have several days: some have the same day a month ago. */
export const withRepeatedDays = (tree: JoinTree, keys: readonly JoinKey[]): JoinTree => ({
  ...tree,
  edges: tree.edges.map(edge => {
    const key = keyOf(keys, edge)
    return key ? { ...edge, relationship: key.cube === edge.to ? 'one_to_many' : 'many_to_one' } : edge
  }),
})

/**
 * A row of a calendar is not moved by the calendar's shifts, so nothing can be aggregated from it; and what policies ask of the day
 * of a row must not be asked of the day that it counts on.
 *
 * @throws {QueryError} `calendar_rows`, `calendar_policy`
 */
export function checkCalendarRows(index: SecuredIndex, members: QueryMembers, keys: readonly JoinKey[]): void {
  for (const { cube: calendar } of keys) {
    for (const { cube, definition } of members.measures) {
      const isOfCalendar = leavesOf(index, cube.name, definition).some(leaf =>
        joinPathsOf(index, leaf.cube, leaf.measure.name, [leaf.cube]).some(path => path.includes(calendar)),
      )
      if (isOfCalendar) throw queryError('calendar_rows', { measure: `${cube.name}.${definition.name}`, calendar })
    }
    const isDecidedOver = ruleLeaves(members.rules, askedMembers(index, members)).some(leaf =>
      joinPathsOf(index, leaf.cube, leaf.member, leaf.joinPath).some(path => path.includes(calendar)),
    )
    if (isDecidedOver) throw queryError('calendar_policy', { calendar })
  }
}

/** The condition of a join, with the key of a calendar replaced. */
export function joinCondition(expander: Expander, keys: readonly JoinKey[], edge: Edge<Join>): Expression {
  const { from, to, join } = edge
  const key = keyOf(keys, edge)
  if (!key) return expandSql(expander, from, join.condition)
  const isKey = (part: BoundSql['parts'][number]) =>
    typeof part !== 'string' && part.kind === 'member' && part.cube === key.cube && part.member === key.dimension
  if (!join.condition.parts.some(isKey)) {
    const cube = key.cube === to ? from : to
    throw queryError('calendar_join', { calendar: key.cube, key: key.dimension, cube })
  }
  const parts = join.condition.parts.map(part => {
    if (typeof part === 'string') return part
    return isKey(part) ? expandSql(expander, key.cube, key.sql) : expandSql(expander, from, { parts: [part] })
  })
  return { kind: 'sql', parts }
}
