import type { Member } from '../resolve/model-index.ts'
import type { Column, Output } from '../shapes/plan.ts'
import { type Aliases, snakeCase } from './aliases.ts'
import { type Expander, expandBucket, expandDimension } from './expand.ts'
import type { WantedMeasure } from './plan-groups.ts'
import type { QueryMembers } from './query-members.ts'

/** Name of a member's column in the result, in the field's style: `cube__member`. */
export function columnAlias({ id, cube }: Member, suffix: string): string {
  const [owner = '', name = ''] = id.split('.')
  const prefix = owner === cube.name ? (cube.sqlAlias ?? owner) : owner
  return `${snakeCase(prefix)}__${snakeCase(name)}${suffix}`
}

/** What a query groups by: its dimensions, then its time dimensions cut to their granularities. */
export function planGrain(
  expander: Expander,
  { dimensions, times }: Pick<QueryMembers, 'dimensions' | 'times'>,
  names: Aliases,
): { readonly grain: readonly Output[]; readonly columns: readonly Column[] } {
  const grain: Output[] = []
  const columns: Column[] = []
  for (const member of dimensions) {
    const alias = names.take(columnAlias(member, ''))
    grain.push({ alias, expression: expandDimension(expander, member.cube.name, member.definition) })
    columns.push({ alias, member: member.id, kind: 'dimension', type: member.definition.type })
  }
  for (const { member, granularity } of times) {
    const alias = names.take(columnAlias(member, `_${snakeCase(granularity.name)}`))
    grain.push({ alias, expression: expandBucket(expander, member.cube.name, member.definition, granularity) })
    columns.push({ alias, member: member.id, kind: 'timeDimension', type: 'time', granularity: granularity.name })
  }
  return { grain, columns }
}

export const measureColumn = ({ member, alias }: WantedMeasure): Column => ({
  alias,
  member: member.id,
  kind: 'measure',
  type: member.definition.type,
})
