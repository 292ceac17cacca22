import type { SecuredIndex } from '../access/secured-index.ts'
import { filteredMember } from '../query/find-member.ts'
import type { NormalizedQuery, QueryFilter } from '../shapes/query.ts'
import type { JoinTree } from './join-tree.ts'
import { seesWays } from './mask-ways.ts'
import { nothingVisible, type Visibility } from './masked-measures.ts'
import { filteredMeasures, type QueryMembers } from './query-members.ts'
import type { RuleLeaf } from './rule-members.ts'

/** What of a query tells of masked measures whether the caller may see all rows that they stand for. */
export function visibilityOf(
  index: SecuredIndex,
  { filters }: NormalizedQuery,
  members: QueryMembers,
  tree: JoinTree,
): Visibility {
  if (!index.hasPolicies) return nothingVisible
  const measures = [...members.measures, ...filteredMeasures(index, members.groupFilters)]
  if (!measures.some(({ definition }) => definition.masking)) return nothingVisible
  const grouped = members.dimensions.flatMap(({ cube, definition }, position) =>
    definition.masking ? [] : [[`${cube.name}.${definition.name}`, position] as const],
  )
  return {
    grouped: new Map(grouped),
    guaranteed: filters.flatMap(filter => guaranteed(index, filter)),
    sees: ways => seesWays(index, tree, ways),
  }
}

/** Filters that all rows meet. Those on times, whose values were cut to the query's zone, and on masked members say nothing. */
function guaranteed(index: SecuredIndex, filter: QueryFilter): RuleLeaf[] {
  if ('and' in filter) return filter.and.flatMap(inner => guaranteed(index, inner))
  if ('or' in filter) return []
  const { cube, definition, joinPath } = filteredMember(index, filter)
  if (definition.kind !== 'dimension' || definition.type === 'time' || definition.masking) return []
  const { operator, values } = filter
  return [{ kind: 'member', cube: cube.name, member: definition.name, joinPath, operator, values }]
}
