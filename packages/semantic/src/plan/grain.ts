import type { DimensionMember, Member } from '../resolve/model-index.ts'
import type { Granularity } from '../shapes/model.ts'
import type { Column, Output } from '../shapes/plan.ts'
import { type Aliases, snakeCase } from './aliases.ts'
import { expandGrain } from './expand-grain.ts'
import type { Expander } from './expander.ts'
import type { WantedMeasure } from './plan-groups.ts'
import type { QueryMembers } from './query-members.ts'

/** Name of a member's column in the result, in the field's style: `cube__member`. */
export function columnAlias({ id, cube }: Member, suffix: string): string {
  const end = id.indexOf('.')
  const owner = id.slice(0, end)
  const name = id.slice(end + 1)
  const prefix = owner === cube.name ? (cube.sqlAlias ?? owner) : owner
  return snakeCase(`${prefix}__${name}${suffix}`)
}

/** The columns of what a query groups by: its dimensions, then its time dimensions cut to their granularities. */
export function grainColumns(
  { dimensions, times }: Pick<QueryMembers, 'dimensions' | 'times'>,
  names: Aliases,
): readonly Column[] {
  const columns: Column[] = []
  for (const member of dimensions) {
    const alias = names.take(columnAlias(member, ''))
    columns.push({ alias, member: member.id, kind: 'dimension', type: member.definition.type })
  }
  for (const { member, granularity } of times) {
    const alias = names.take(columnAlias(member, `_${granularity.name}`))
    columns.push({ alias, member: member.id, kind: 'timeDimension', type: 'time', granularity: granularity.name })
  }
  return columns
}

/** What a query groups by. */
export function planGrain(
  expander: Expander,
  members: Pick<QueryMembers, 'dimensions' | 'times'>,
  names: Aliases,
): { readonly grain: readonly Output[]; readonly columns: readonly Column[] } {
  const columns = grainColumns(members, names)
  const grain: Output[] = []
  const add = ({ cube, definition }: DimensionMember, granularity: Granularity | null) => {
    const alias = columns[grain.length]?.alias ?? ''
    grain.push({ alias, expression: expandGrain(expander, cube.name, definition, granularity) })
  }
  for (const member of members.dimensions) add(member, null)
  for (const { member, granularity } of members.times) add(member, granularity)
  return { grain, columns }
}

export const measureColumn = ({ member, alias }: WantedMeasure): Column => ({
  alias,
  member: member.id,
  kind: 'measure',
  type: member.definition.type,
})
