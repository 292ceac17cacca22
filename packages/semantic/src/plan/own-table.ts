import type { BoundSql, Dimension, Measure, Segment } from '../shapes/model.ts'

/**
 * Whether a member is computed from each row of its cube's own table and from nothing else, so that it needs no join, no sub-query and
 * no stage. Most members are: it is cheaper to see than to look up what was found out about others.
 */
export function isOfOwnTable(cube: string, member: Dimension | Measure | Segment): boolean {
  if (member.kind === 'segment') return readsOwnTable(cube, member.sql)
  if (member.kind === 'dimension') {
    return member.expression.kind === 'sql' && readsOwnTable(cube, member.expression.sql)
  }
  if (member.window !== null || member.stage !== null) return false
  return (
    (member.sql === null || readsOwnTable(cube, member.sql)) &&
    member.filters.every(filter => readsOwnTable(cube, filter))
  )
}

const readsOwnTable = (cube: string, { parts }: BoundSql): boolean =>
  parts.every(
    part => typeof part === 'string' || (part.kind === 'table' && part.cube === cube && part.through.length === 0),
  )
