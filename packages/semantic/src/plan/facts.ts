import type { SecuredIndex } from '../access/secured-index.ts'
import { queryError } from '../messages/query-messages.ts'
import { oncePerObject } from '../once-per-object.ts'
import { type DimensionMember, isMeasure, type MeasureMember, type Member } from '../resolve/model-index.ts'
import type { RowRule } from '../shapes/access.ts'
import type { View } from '../shapes/model.ts'
import { leavesOf } from './measures.ts'
import { filteredMeasures, type QueryMembers } from './query-members.ts'
import { filterMembers } from './row-conditions.ts'
import type { RuleLeaf } from './rule-members.ts'

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
export function factsOf(index: SecuredIndex, members: QueryMembers): readonly Fact[] | null {
  const filtered = filteredMeasures(index, members.groupFilters)
  const measures = filtered.length === 0 ? members.measures : [...members.measures, ...filtered]
  const view = viewOf(index, measures)
  if (!view) return null
  const roots = rootsOf(view)
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
      rules: members.rules
        .filter(rule => !isOfOthers(index, rule, fact, facts))
        .map(rule => ruleSeenFrom(index, rule, fact)),
    },
  }))
}

/** The view that all of these measures are members of. */
function viewOf(index: SecuredIndex, measures: readonly MeasureMember[]): View | null {
  const first = measures[0]
  if (!first || isOfCube(first)) return null
  const name = first.id.slice(0, first.id.indexOf('.'))
  const definition = index.sources.get(name)?.definition
  if (definition?.kind !== 'view') return null
  return measures.every(({ id }) => id.startsWith(`${name}.`)) ? definition.view : null
}

/** No view has the name of a cube. */
const isOfCube = ({ id, cube: { name } }: Member) => id[name.length] === '.' && id.startsWith(name)

/** The cubes at which the join paths of a view begin. */
const rootsOf = oncePerObject(({ members }: View): readonly string[] => [
  ...new Set(members.map(({ joinPath }) => joinPath[0] ?? '')),
])

/** What has to be aggregated for a measure, each with the way from its fact. */
function factLeaves(index: SecuredIndex, roots: readonly string[], measure: MeasureMember): MeasureMember[] {
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
function seenFrom<M extends Member>(index: SecuredIndex, member: M, fact: string): M | null {
  if (member.joinPath[0] === fact) return member
  const way = member.joinPath.length === 1 ? index.graph.path(fact, member.cube.name) : null
  if (!way) return null
  const repeats = way.some((to, position) => {
    const from = way[position - 1]
    return from !== undefined && index.graph.edge(from, to)?.relationship === 'one_to_many'
  })
  return repeats ? null : { ...member, joinPath: way }
}

function shared(index: SecuredIndex, member: DimensionMember, fact: string, facts: readonly string[]): DimensionMember {
  const seen = seenFrom(index, member, fact)
  if (!seen) throw queryError('fact_dimension', { member: member.id, fact, facts })
  return seen
}

/** A default filter that the caller is not told of holds, as others do, for the one fact that owns what it is about. */
const isOfOthers = (index: SecuredIndex, rule: RowRule, fact: string, facts: readonly string[]): boolean =>
  rule.kind === 'member' &&
  rule.isDefaultFilter === true &&
  facts.includes(rule.joinPath[0] ?? '') &&
  leafSeenFrom(index, rule, fact) === null

/** A policy of the view, which has to hold for all facts: where one of them doesn't see what it is about, there is no answer. */
function ruleSeenFrom(index: SecuredIndex, rule: RowRule, fact: string): RowRule {
  if (rule.kind !== 'member') return { ...rule, rules: rule.rules.map(inner => ruleSeenFrom(index, inner, fact)) }
  const seen = leafSeenFrom(index, rule, fact)
  if (!seen) throw queryError('no_join_path', { cubes: [fact, rule.cube] })
  return { ...rule, joinPath: seen.joinPath }
}

function leafSeenFrom(index: SecuredIndex, { cube, member: name, joinPath }: RuleLeaf, fact: string): Member | null {
  const member = index.sources.get(cube)?.members.get(name)
  return member ? seenFrom(index, { ...member, joinPath }, fact) : null
}

type Applied = (fact: string) => Pick<QueryMembers, 'ranges' | 'mentioned' | 'segments' | 'rowFilters'>

/** Which filters hold for which fact: for all, or only for the one that owns what they are about. */
function appliedFilters(
  index: SecuredIndex,
  { ranges, mentioned, segments, rowFilters }: QueryMembers,
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
    mentioned: placed(mentioned, member => [member]),
    segments: placed(segments, segment => [segment]),
    rowFilters: placed(rowFilters, filter => filterMembers(index, filter)),
  }
  const of = <T>(items: readonly { readonly item: T; readonly facts: readonly string[] }[], fact: string) =>
    items.flatMap(({ item, facts: holding }) => (holding.includes(fact) ? [item] : []))
  return fact => ({
    ranges: of(all.ranges, fact),
    mentioned: of(all.mentioned, fact),
    segments: of(all.segments, fact),
    rowFilters: of(all.rowFilters, fact),
  })
}
