import type { SecuredIndex } from '../../access/secured-index.ts'
import type { Expression, Plan } from '../../shapes/plan.ts'
import { createAliases } from '../aliases.ts'
import { expandBucket } from '../expand.ts'
import { planRequest } from '../plan-request.ts'
import { allRows } from '../restrictions.ts'
import { noFilters } from '../row-conditions.ts'
import { planSubQuery } from '../sub-queries.ts'
import { createExpander, dataSourceOf, joinTables, readCubes } from '../tables.ts'
import { type RollupId, rollupOf } from './rollup.ts'

/** Plans the query for the first and the last step of time of a rollup's rows: one row, two local times, null without rows. */
export function planRollupRange(index: SecuredIndex, id: RollupId, timezone: string): Plan {
  const { tree, times } = rollupOf(index, id)
  const [time] = times
  if (!time) throw new Error(`The pre-aggregation '${id.cube}.${id.name}' has no time dimension`)
  const tables = createAliases()
  const expander = createExpander(
    index,
    timezone,
    planRequest(noFilters, () => ({})),
    tables,
    allRows,
    (own, cube, dimension) => planSubQuery({ expander: own, tables, filters: noFilters }, cube, dimension),
  )
  const { cube, definition } = time.member
  const step = expandBucket(expander, cube.name, definition, time.granularity)
  const end = (name: 'min' | 'max'): Expression => ({ kind: 'aggregate', function: name, input: step })
  const from = joinTables(expander, tree, [{ cube: cube.name, name: definition.name }])
  const cubes = readCubes(index, new Set([...tree.cubes, ...expander.subQueryCubes()]))
  return {
    dataSource: dataSourceOf(index, cubes),
    cubes,
    columns: [
      { alias: 'first_step', member: time.member.id, kind: 'measure', type: 'time' },
      { alias: 'last_step', member: time.member.id, kind: 'measure', type: 'time' },
    ],
    stages: [],
    body: {
      kind: 'selection',
      from,
      where: [],
      grain: [],
      outputs: [
        { alias: 'first_step', expression: end('min') },
        { alias: 'last_step', expression: end('max') },
      ],
      grouped: true,
      having: [],
    },
    order: [],
    limit: null,
    offset: 0,
  }
}
