import { createAliases } from './aliases.ts'
import { columnAlias, grainColumns, measureColumn } from './grain.ts'
import type { PlannedBody, PlannedQuery } from './plan-facts.ts'
import { planStages } from './stages/plan-stages.ts'
import type { LeafReader } from './stages/planning.ts'

/**
 * A query with measures or dimensions that need several stages.
 *
 * @param reader gives groups of rows in place of the tables of cubes
 */
export function planStaged(
  { index, query, members, context, restrictions }: PlannedQuery,
  reader: LeafReader | null = null,
): PlannedBody {
  const names = createAliases()
  const grain = grainColumns(members, names)
  const measures = members.measures.map(member => ({ member, alias: names.take(columnAlias(member, '')) }))
  const { timezone, joinHints = [] } = query
  const grainAliases = grain.map(({ alias }) => alias)
  const { stages, body, cubes } = planStages({
    index,
    timezone,
    securityContext: () => context.securityContext,
    restrictions,
    joinHints,
    members,
    grainAliases,
    measures,
    reader,
  })
  return { columns: [...grain, ...measures.map(measureColumn)], stages, body, joined: new Set(cubes) }
}
