import type { Member } from '../resolve/model-index.ts'
import type { Column, Output } from '../shapes/plan.ts'
import { type Aliases, snakeCase } from './aliases.ts'
import { type Expander, expandGrain } from './expand.ts'
import type { WantedMeasure } from './plan-groups.ts'
import type { QueryMembers } from './query-members.ts'

/** Name of a member's column in the result, in the field's style: `cube__member`. */
export function columnAlias({ id, cube }: Member, suffix: string): string {
  const end = id.indexOf('.')
  const owner = id.slice(0, end)
  const name = id.slice(end + 1)
  const prefix = owner === cube.name ? (cube.sqlAlias ?? owner) : owner
  return `${snakeCase(prefix)}__${snakeCase(name)}${suffix}`
}

/** The columns of what a query groups by: its dimensions, then its time dimensions cut to their granularities. */
export function grainColumns(
  { dimensions, times }: Pick<QueryMembers, 'dimensions' | 'times'>,
  names: Aliases,
): readonly Column[] {
  return [
    ...dimensions.map((member): Column => {
      const { type } = member.definition
      return { alias: names.take(columnAlias(member, '')), member: member.id, kind: 'dimension', type }
    }),
    ...times.map(({ member, granularity: { name } }): Column => {
      const alias = names.take(columnAlias(member, `_${snakeCase(name)}`))
      return { alias, member: member.id, kind: 'timeDimension', type: 'time', granularity: name }
    }),
  ]
}

/** What a query groups by. */
export function planGrain(
  expander: Expander,
  members: Pick<QueryMembers, 'dimensions' | 'times'>,
  names: Aliases,
): { readonly grain: readonly Output[]; readonly columns: readonly Column[] } {
  const columns = grainColumns(members, names)
  const items = [...members.dimensions.map(member => ({ member, granularity: null })), ...members.times]
  const grain = items.map(
    ({ member, granularity }, position): Output => ({
      alias: columns[position]?.alias ?? '',
      expression: expandGrain(expander, member.cube.name, member.definition, granularity),
    }),
  )
  return { grain, columns }
}

export const measureColumn = ({ member, alias }: WantedMeasure): Column => ({
  alias,
  member: member.id,
  kind: 'measure',
  type: member.definition.type,
})
