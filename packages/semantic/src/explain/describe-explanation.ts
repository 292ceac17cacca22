import type { QueryFilter } from '../shapes/query.ts'
import type { ExplainedFilter, ExplainedLeaf, ExplainedMeasure, ExplainedPart, Explanation } from './explanation.ts'

const relationships = { one_to_one: 'one to one', one_to_many: 'one to many', many_to_one: 'many to one' } as const

const reasons: Readonly<Record<ExplainedPart['because'], string>> = {
  alone: 'nothing else is read',
  only: 'it is the only one from which joins lead to all others',
  fewest: 'from it the fewest joins lead to all others',
  first: 'others need as many joins, and it comes first: measures, then dimensions, segments, filters and times decide',
  fact: 'it is a root of the view, and aggregated by itself',
}

/** An explanation in sentences, one a line. */
export function describeExplanation(explanation: Omit<Explanation, 'text'>): string[] {
  const { parts, grain, timezone, measures, groupFilters, restricted, masked } = explanation
  return [
    ...parts.flatMap(describePart),
    grain.length === 0
      ? 'One row: nothing is grouped by.'
      : `Grouped by ${list(grain)}; times are those of ${timezone}.`,
    ...(parts.length > 1 && grain.length > 0
      ? [`A group that ${list(parts.map(({ root }) => root))} do not all have is there, with nothing for those.`]
      : []),
    ...measures.map(describeMeasure),
    ...groupFilters.map(filter => `Groups stay where ${describeFilter(filter)}.`),
    ...restricted.map(name => `Policies leave this caller some of the rows of ${name}.`),
    ...masked.map(name => `${name} is masked for this caller.`),
    ...describeRollups(explanation),
  ]
}

function describePart({ root, because, joins, rowFilters, segments, ranges }: ExplainedPart): string[] {
  return [
    `Rows of ${root} are read first: ${reasons[because]}.`,
    ...joins.map(({ from, to, relationship, alternatives }) => {
      const others = alternatives.map(name => `${name} has a join to it as well, as near to ${root}`)
      const note = others.length > 0 ? `; ${others.join('; ')}, and a join_path of a view would say which is meant` : ''
      return `${from} is joined to ${to}, ${relationships[relationship]}${note}.`
    }),
    ...segments.map(segment => `Rows of ${root} stay where they are in ${segment}.`),
    ...ranges.map(({ member, from, to }) => {
      const ends = [from === null ? '' : ` from ${from}`, to === null ? '' : ` to ${to}`].join('')
      return `Rows of ${root} stay where ${member} is${ends}.`
    }),
    ...rowFilters.map(filter => `Rows of ${root} stay where ${describeFilter(filter)}.`),
  ]
}

function describeFilter({ filter, isDefault }: ExplainedFilter): string {
  return `${describe(filter)}${isDefault ? ', which is a default filter of the view' : ''}`
}

function describe(filter: QueryFilter): string {
  if ('and' in filter) return `(${filter.and.map(describe).join(' and ')})`
  if ('or' in filter) return `(${filter.or.map(describe).join(' or ')})`
  const values = filter.values.map(value => (value === null ? 'null' : `'${value}'`))
  return [filter.member, filter.operator, values.join(', ')].filter(Boolean).join(' ')
}

function describeMeasure({ member, leaves }: ExplainedMeasure): string {
  const [only] = leaves
  if (!only) return `${member} is shown as its mask.`
  const name = member.slice(member.indexOf('.') + 1)
  const isItself = leaves.length === 1 && only.id.endsWith(`.${name}`)
  if (isItself) return `${member}: ${describeLeaf(only)}.`
  return `${member} is calculated from ${list(leaves.map(leaf => `${leaf.id} (${describeLeaf(leaf)})`))}.`
}

function describeLeaf({ id, type, how, repeatedBy }: ExplainedLeaf): string {
  if (how === 'staged')
    return `${type} in several stages, over windows of time or other groups than those of the answer`
  if (how === 'joined') return `${type} over the joined rows`
  const cube = id.slice(0, id.indexOf('.'))
  return `${type} over each row of ${cube} once in a group, by its key, because the join ${list(repeatedBy)} repeats it`
}

function describeRollups({ rollup, refusedRollups }: Omit<Explanation, 'text'>): string[] {
  const refused = refusedRollups.map(({ id, reason }) => `Not from the rollup ${id.cube}.${id.name}: ${reason}.`)
  return rollup ? [...refused, `The rollup ${rollup.cube}.${rollup.name} has the answer.`] : refused
}

const list = (words: readonly string[]) => words.join(' and ')
