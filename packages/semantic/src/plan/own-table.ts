import type { ModelIndex } from '../resolve/model-index.ts'
import type { BoundSql, Dimension, Measure, Segment } from '../shapes/model.ts'

/**
 * Whether a member is computed from the rows of its cube's own table and from nothing else, so that it needs no join, no sub-query and
 * no stage: it names columns of that table, or members of its cube of which the same is true. Most members are: it is cheaper to see
 * than to look up what was found out about others.
 */
export function isOfOwnTable(
  index: Pick<ModelIndex, 'member'>,
  cube: string,
  member: Dimension | Measure | Segment,
): boolean {
  if (member.kind === 'segment') return readsOwnTable(index, cube, member.sql)
  if (member.kind === 'dimension') {
    return member.expression.kind === 'sql' && readsOwnTable(index, cube, member.expression.sql)
  }
  if (member.window !== null || member.stage !== null) return false
  if (member.sql !== null && !readsOwnTable(index, cube, member.sql)) return false
  for (const filter of member.filters) if (!readsOwnTable(index, cube, filter)) return false
  return true
}

function readsOwnTable(index: Pick<ModelIndex, 'member'>, cube: string, { parts }: BoundSql): boolean {
  for (const part of parts) {
    if (typeof part === 'string') continue
    if ((part.kind !== 'table' && part.kind !== 'member') || part.cube !== cube || part.through.length > 0) return false
    if (part.kind === 'member' && !isOfOwnTable(index, cube, index.member(cube, part.member))) return false
  }
  return true
}
