import { queryError } from '../messages/query-messages.ts'
import { isMeasure, type MeasureMember, type Member, type ModelIndex } from '../resolve/model-index.ts'
import { leavesOf } from './measures.ts'
import { filteredMeasures, type QueryMembers } from './query-members.ts'
import { filterMembers } from './row-conditions.ts'

/** One of several roots of a view, with what of a query concerns it. Its measures are leaves. */
export interface Fact {
  readonly root: string
  readonly members: QueryMembers
}

/**
 * The facts of a query: its measures come from several roots of one view (data-model.md, section 6, multi-fact views). Each is
 * aggregated by itself, over dimensions that all of them share; a fact's own filters hold for it alone. Null when there is but
 * one, which is planned as any other query.
 *
 * @throws {QueryError} when a dimension is not shared, or a filter belongs to no fact as a whole
 */
export function factsOf(index: ModelIndex, members: QueryMembers): readonly Fact[] | null {
  const measures = [...members.measures, ...filteredMeasures(index, members.groupFilters)]
  const view = viewOf(index, measures)
  if (!view) return null
  const roots = [...new Set([...view.members.values()].map(({ joinPath }) => joinPath[0] ?? ''))]
  if (roots.length < 2) return null
  const leaves = new Map<string, Map<string, MeasureMember>>()
  for (const leaf of measures.flatMap(measure => factLeaves(index, roots, measure))) {
    const [fact = ''] = leaf.joinPath
    const known = leaves.get(fact) ?? new Map<string, MeasureMember>()
    leaves.set(fact, known.set(leaf.id, leaf))
  }
  const facts = [...leaves.keys()]
  if (facts.length < 2) return null
  const applied = appliedFilters(index, members, facts)
  return facts.map(fact => ({
    root: fact,
    members: {
      ...applied(fact),
      measures: [...(leaves.get(fact)?.values() ?? [])],
      dimensions: members.dimensions.map(member => shared(index, member, fact, facts)),
      times: members.times.map(time => ({ ...time, member: shared(index, time.member, fact, facts) })),
      groupFilters: [],
    },
  }))
}

/** The view that all of these measures are members of. */
function viewOf(index: ModelIndex, measures: readonly MeasureMember[]) {
  const names = new Set(measures.map(({ id }) => id.split('.')[0] ?? ''))
  const source = index.sources.get([...names][0] ?? '')
  return names.size === 1 && source?.definition.kind === 'view' ? source : null
}

/** What has to be aggregated for a measure, each with the way from its fact. */
function factLeaves(index: ModelIndex, roots: readonly string[], measure: MeasureMember): MeasureMember[] {
  const { cube, definition, joinPath } = measure
  return leavesOf(index, cube.name, definition).flatMap(leaf => {
    const found = index.sources.get(leaf.cube)?.members.get(leaf.measure.name)
    if (!found || !isMeasure(found)) return []
    if (leaf.cube === cube.name) return [{ ...found, joinPath }]
    const onward = index.graph.path(cube.name, leaf.cube)
    if (onward) return [{ ...found, joinPath: [...joinPath, ...onward.slice(1)] }]
    return [{ ...found, joinPath: roots.includes(leaf.cube) ? [leaf.cube] : joinPath }]
  })
}

/** A member as a fact sees it, or null: its own, or one of a root that the fact joins without repeating its rows. */
function seenFrom<M extends Member>(index: ModelIndex, member: M, fact: string): M | null {
  if (member.joinPath[0] === fact) return member
  const way = member.joinPath.length === 1 ? index.graph.path(fact, member.cube.name) : null
  if (!way) return null
  const repeats = way.some((to, position) => {
    const from = way[position - 1]
    return from !== undefined && index.graph.edge(from, to)?.relationship === 'one_to_many'
  })
  return repeats ? null : { ...member, joinPath: way }
}

function shared<M extends Member>(index: ModelIndex, member: M, fact: string, facts: readonly string[]): M {
  const seen = seenFrom(index, member, fact)
  if (!seen) throw queryError('fact_dimension', { member: member.id, fact, facts })
  return seen
}

type Applied = (fact: string) => Pick<QueryMembers, 'ranges' | 'segments' | 'rowFilters'>

/** Which filters hold for which fact: for all, or only for the one that owns what they are about. */
function appliedFilters(
  index: ModelIndex,
  { ranges, segments, rowFilters }: QueryMembers,
  facts: readonly string[],
): Applied {
  const holdsFor = (members: readonly Member[]): readonly string[] => {
    const isSeen = (member: Member, fact: string) => seenFrom(index, member, fact) !== null
    const holding = facts.filter(fact => members.every(member => isSeen(member, fact)))
    const isOwn = (member: Member) => facts.includes(member.joinPath[0] ?? '')
    const isSettled = members.every(member => isOwn(member) || facts.every(fact => isSeen(member, fact)))
    if (holding.length > 0 && isSettled) return holding
    throw queryError('fact_filter', { members: members.map(({ id }) => id), facts })
  }
  const placed = <T>(items: readonly T[], membersOf: (item: T) => readonly Member[]) =>
    items.map(item => ({ item, facts: holdsFor(membersOf(item)) }))
  const all = {
    ranges: placed(ranges, ({ member }) => [member]),
    segments: placed(segments, segment => [segment]),
    rowFilters: placed(rowFilters, filter => filterMembers(index, filter)),
  }
  const of = <T>(items: readonly { readonly item: T; readonly facts: readonly string[] }[], fact: string) =>
    items.flatMap(({ item, facts: holding }) => (holding.includes(fact) ? [item] : []))
  return fact => ({
    ranges: of(all.ranges, fact),
    segments: of(all.segments, fact),
    rowFilters: of(all.rowFilters, fact),
  })
}
