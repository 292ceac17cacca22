import type { SecuredIndex } from '../../access/secured-index.ts'
import { queryError } from '../../messages/query-messages.ts'
import { meetsFilter } from '../../operators/meets-filter.ts'
import type { DimensionMember, MeasureMember, Member } from '../../resolve/model-index.ts'
import type { BoundSql } from '../../shapes/model.ts'
import type { QueryFilter } from '../../shapes/query.ts'
import { askedMembers, type QueryMembers } from '../query-members.ts'
import { filterMembers } from '../row-conditions.ts'
import { memberId } from './planning.ts'
import type { State } from './state.ts'

/** A switch dimension that a query groups by or filters to one value, and the values that it leaves. */
export interface Choice {
  /** `cube.dimension` */
  readonly dimension: string
  readonly values: readonly string[]
}

const valuesOf = ({ definition }: Member): readonly string[] | null =>
  definition.kind === 'dimension' && definition.expression.kind === 'switch' ? definition.expression.values : null

export const isSwitch = (member: DimensionMember): boolean => valuesOf(member) !== null

/** Whether a query names a switch dimension. */
export const namesSwitch = (index: SecuredIndex, members: QueryMembers): boolean =>
  askedMembers(index, members).some(member => valuesOf(member) !== null)

/**
 * Takes the filters on switch dimensions out of a query's: what they leave are choices, not conditions on rows. Several values that
 * nothing groups by choose none: an answer for each of them would be rows that nobody can tell apart.
 */
export function chooseValues(
  index: SecuredIndex,
  { dimensions, rowFilters }: QueryMembers,
): { readonly choices: readonly Choice[]; readonly rowFilters: readonly QueryFilter[] } {
  const left = new Map<string, readonly string[]>()
  const choose = (member: Member, accepts: (value: string) => boolean) => {
    const id = `${member.cube.name}.${member.definition.name}`
    left.set(id, (left.get(id) ?? valuesOf(member) ?? []).filter(accepts))
  }
  for (const member of dimensions) if (isSwitch(member)) choose(member, () => true)
  const grouped = new Set(left.keys())
  const take = (filter: QueryFilter): QueryFilter[] => {
    const members = filterMembers(index, filter)
    const switches = members.filter(member => valuesOf(member) !== null)
    const [first] = switches
    if (!first) return [filter]
    if ('and' in filter) return filter.and.flatMap(take)
    const isOfOne = members.every(member => member.definition === first.definition)
    if (!isOfOne) throw queryError('switch_filter', { dimension: first.id })
    choose(first, value => meets(filter, value))
    return []
  }
  const kept = rowFilters.flatMap(take)
  const choices = [...left].flatMap(([dimension, values]) =>
    values.length < 2 || grouped.has(dimension) ? [{ dimension, values }] : [],
  )
  return { choices, rowFilters: kept }
}

/** Whether a value of a switch meets a filter, as a text in a column would. */
function meets(filter: QueryFilter, value: string): boolean {
  if ('and' in filter) return filter.and.every(item => meets(item, value))
  if ('or' in filter) return filter.or.some(item => meets(item, value))
  return meetsFilter(filter, value)
}

/** Every way to take one value for each choice. */
export function bindingsOf(choices: readonly Choice[]): ReadonlyMap<string, string>[] {
  return choices.reduce<ReadonlyMap<string, string>[]>(
    (bindings, { dimension, values }) =>
      bindings.flatMap(binding => values.map(value => new Map([...binding, [dimension, value]]))),
    [new Map()],
  )
}

const nothing: BoundSql = { parts: ['NULL'] }

/** A measure with `case` as the one that it is for the chosen value. */
export function decided(member: MeasureMember, { bindings }: State): MeasureMember {
  const { definition } = member
  const { stage } = definition
  // What a dimension of rows says is part of the grain.
  if (!stage?.cases?.isChosen) return member
  const { cube, dimension, when, otherwise } = stage.cases
  const id = `${cube}.${dimension}`
  const chosen = bindings.get(id)
  if (chosen === undefined) throw queryError('switch_undecided', { member: memberId(member), dimension: id })
  const sql = when.find(({ value }) => value === chosen)?.sql ?? otherwise ?? nothing
  return { ...member, definition: { ...definition, sql, stage: { ...stage, cases: null } } }
}
