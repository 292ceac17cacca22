import { type SecuredIndex, secureModel } from '../access/secured-index.ts'
import { type Fact, factsOf } from '../plan/facts.ts'
import { buildJoinTree, isMultiplied, type JoinTree } from '../plan/join-tree.ts'
import { isAffectedByRepetition, leavesOf } from '../plan/measures.ts'
import { askedMembers, neededPaths, type QueryMembers, queryMembers } from '../plan/query-members.ts'
import { findRollup } from '../plan/rollups/find-rollup.ts'
import { isStaged } from '../plan/stages/staged-measures.ts'
import { filterMembers } from '../query/default-filters.ts'
import type { MeasureMember } from '../resolve/model-index.ts'
import type { DialectName } from '../shapes/compiled.ts'
import type { Model } from '../shapes/model.ts'
import type { NormalizedQuery, QueryContext, QueryFilter } from '../shapes/query.ts'
import { describeExplanation } from './describe-explanation.ts'
import { explainJoins, explainRoot, repeatingJoins } from './explain-joins.ts'
import type { ExplainedFilter, ExplainedLeaf, ExplainedPart, Explanation } from './explanation.ts'
import { isTellable, notShown, tellableOnes } from './tellable.ts'

/**
 * Says how a query is answered for a caller, and why so.
 *
 * @param dialectOf what the data sources speak, on which it depends whether a rollup gives the same as they do
 * @throws {QueryError} when it can't be answered, as `compileQuery` does
 */
export function explainQuery(
  model: Model,
  query: NormalizedQuery,
  context: QueryContext,
  dialectOf: (dataSource: string) => DialectName = () => 'duckdb',
): Explanation {
  const index = secureModel(model, context)
  const members = queryMembers(index, query)
  const facts = factsOf(index, members)
  const planned = facts ? facts.map(fact => planFact(index, query, fact)) : [planAll(index, query, members)]
  const { rollup, considered } = findRollup(index, query, dialectOf)
  const asked = askedMembers(index, members)
  const masked = asked.filter(({ definition }) => definition.kind !== 'segment' && definition.masking)
  const explanation = {
    parts: planned.map(({ part }) => part),
    grain: [
      ...members.dimensions.map(({ id }) => id),
      ...members.times.map(({ member, granularity }) => `${member.id}.${granularity.name}`),
    ],
    timezone: query.timezone,
    measures: members.measures.map(member => ({ member: member.id, leaves: explainLeaves(index, member, planned) })),
    groupFilters: members.groupFilters.map(filter => explainFilter(index, filter)),
    restricted: restrictedSources(index, planned, asked),
    masked: [...new Set(masked.map(({ id }) => id))],
    rollup,
    refusedRollups: tellableOnes(index, considered).flatMap(({ id, miss }) =>
      miss ? [{ id, reason: miss.reason }] : [],
    ),
  }
  return { ...explanation, text: describeExplanation(explanation) }
}

interface Planned {
  readonly tree: JoinTree
  readonly part: ExplainedPart
  /** The leaves that are aggregated in this part; null: all. */
  readonly leaves: ReadonlySet<string> | null
}

function planAll(index: SecuredIndex, query: NormalizedQuery, members: QueryMembers): Planned {
  const paths = neededPaths(index, query, members)
  const tree = buildJoinTree(index, paths)
  return { tree, part: explainPart(index, tree, members, explainRoot(index, paths, tree)), leaves: null }
}

function planFact(index: SecuredIndex, query: NormalizedQuery, { root, members }: Fact): Planned {
  const tree = buildJoinTree(index, [[root], ...neededPaths(index, query, members)], [root])
  const leaves = new Set(members.measures.map(({ cube, definition }) => `${cube.name}.${definition.name}`))
  return { tree, part: explainPart(index, tree, members, 'fact'), leaves }
}

function explainPart(
  index: SecuredIndex,
  tree: JoinTree,
  members: QueryMembers,
  because: ExplainedPart['because'],
): ExplainedPart {
  return {
    root: tree.root,
    because,
    joins: explainJoins(index, tree),
    rowFilters: members.rowFilters.map(filter => explainFilter(index, filter)),
    segments: members.segments.map(({ id }) => id),
    ranges: members.ranges.map(({ member, dateRange: [from, to] }) => ({ member: member.id, from, to })),
  }
}

function explainLeaves(index: SecuredIndex, member: MeasureMember, planned: readonly Planned[]): ExplainedLeaf[] {
  const { cube: owner, definition } = member
  if (isStaged(index, owner.name, definition)) {
    return [{ id: `${owner.name}.${definition.name}`, type: definition.type, how: 'staged', repeatedBy: [] }]
  }
  return leavesOf(index, owner.name, definition).flatMap(({ cube, measure }) => {
    const id = `${cube}.${measure.name}`
    const found = planned.find(({ leaves }) => !leaves || leaves.has(id))
    if (!found) return []
    const isRepeated = isAffectedByRepetition(measure) && isMultiplied(found.tree, cube)
    return [
      {
        id: id === member.id || isTellable(index, id) ? id : `${cube}.${notShown}`,
        type: measure.type,
        how: isRepeated ? ('keyed' as const) : ('joined' as const),
        repeatedBy: isRepeated ? repeatingJoins(found.tree, cube) : [],
      },
    ]
  })
}

/** A filter is taken for the view's when it is one of the view's as it stands there. */
function explainFilter(index: SecuredIndex, filter: QueryFilter): ExplainedFilter {
  const [id = ''] = filterMembers(filter)
  const [source = '', name = ''] = id.split('.')
  const definition = index.sources.get(source)?.definition
  const isDefault =
    'member' in filter &&
    definition?.kind === 'view' &&
    definition.view.defaultFilters.some(({ member, operator }) => member === name && operator === filter.operator)
  return { filter, isDefault }
}

/** Which sources give this caller some of their rows; not on what that depends, which may be hidden from him. */
function restrictedSources(
  index: SecuredIndex,
  planned: readonly Planned[],
  asked: readonly { readonly id: string }[],
): string[] {
  const names = new Set([
    ...planned.flatMap(({ tree }) => tree.cubes),
    ...asked.map(({ id }) => id.slice(0, id.indexOf('.'))),
  ])
  return [...names].filter(name => {
    const source = index.sources.get(name)
    return source && (index.access.isDenied(source) || index.access.rowsOf(source, []) !== null)
  })
}
