import type { SecuredIndex } from '../../access/secured-index.ts'
import type { MeasureMember } from '../../resolve/model-index.ts'
import type { Column, Condition, Expression, Output, Plan } from '../../shapes/plan.ts'
import { type Aliases, createAliases } from '../aliases.ts'
import { compareTime } from '../conditions.ts'
import { expandBucket, expandDimension, expandSql } from '../expand.ts'
import type { Expander } from '../expander.ts'
import { planGroups } from '../plan-groups.ts'
import { planRequest } from '../plan-request.ts'
import { allRows } from '../restrictions.ts'
import { noFilters } from '../row-conditions.ts'
import { planSubQuery } from '../sub-queries.ts'
import { createExpander, dataSourceOf, joinTables, readCubes } from '../tables.ts'
import { type Rollup, type RollupId, rollupOf } from './rollup.ts'

export interface RollupPartition {
  readonly range: readonly [string | null, string | null]
  readonly withUndated: boolean
}

export interface RollupBuild {
  /** Whose days and weeks the rollup holds; queries of another zone don't match it. */
  readonly timezone: string
  /**
   * A partition: local times of `timezone`, the first included, the second not, null where there is no end. Rows without a time are
   * in no range, so one partition of all has to take them too, or they are missing from the answers. Null for all rows.
   */
  readonly partition: RollupPartition | null
}

/**
 * Plans the query that fills a rollup's table. It reads the rows of every caller, so nothing but another query that is planned for a
 * caller may show what it gives.
 *
 * @throws {QueryError} when the rollup's members can't be joined
 */
export function planRollupBuild(index: SecuredIndex, id: RollupId, { timezone, partition }: RollupBuild): Plan {
  const rollup = rollupOf(index, id)
  const tables = createAliases()
  const expander = createExpander(
    index,
    timezone,
    planRequest(noFilters, () => ({})),
    tables,
    allRows,
    (own, cube, dimension) => planSubQuery({ expander: own, tables, filters: noFilters }, cube, dimension),
  )
  const columns = rollupColumns(rollup)
  const members = [...rollup.dimensions, ...rollup.times, ...rollup.segments, ...rollup.measures].map(({ member }) => ({
    cube: member.cube.name,
    name: member.definition.name,
  }))
  const rows = {
    from: joinTables(expander, rollup.tree, members),
    where: partition ? [partitionCondition(expander, rollup, partition)] : [],
    grain: grainOf(expander, rollup),
  }
  const names: Aliases = createAliases()
  for (const { alias } of columns) names.take(alias)
  const measures = rollup.measures.map(({ name, member }): { member: MeasureMember; alias: string } => ({
    member,
    alias: name,
  }))
  const { body, trees } = planGroups({ expander, names, tables, groupFilters: [], tree: rollup.tree, rows, measures })
  const joined = new Set([...[rollup.tree, ...trees].flatMap(({ cubes }) => cubes), ...expander.subQueryCubes()])
  const cubes = readCubes(index, joined)
  return { dataSource: dataSourceOf(index, cubes), cubes, columns, stages: [], body, order: [], limit: null, offset: 0 }
}

function grainOf(expander: Expander, { dimensions, times, segments }: Rollup): Output[] {
  return [
    ...dimensions.map(({ name, member }) => ({
      alias: name,
      expression: expandDimension(expander, member.cube.name, member.definition),
    })),
    ...times.map(({ name, member, granularity }) => ({
      alias: name,
      expression: expandBucket(expander, member.cube.name, member.definition, granularity),
    })),
    ...segments.map(({ name, member }) => ({
      alias: name,
      expression: heldSegment(expandSql(expander, member.cube.name, member.definition.sql)),
    })),
  ]
}

/** One where the segment holds, null elsewhere: not every database has columns of truth. */
const heldSegment = (expression: Expression): Expression => ({
  kind: 'case',
  when: [{ condition: { kind: 'sql', expression }, result: { kind: 'one' } }],
  otherwise: null,
})

/** The rows of a partition. */
export function partitionCondition(
  expander: Expander,
  { id, times }: Rollup,
  { range: [from, before], withUndated }: RollupPartition,
): Condition {
  const [time] = times
  if (!time) throw new Error(`The pre-aggregation '${id.cube}.${id.name}' has no time dimension to be partitioned by`)
  const expression = expandDimension(expander, time.member.cube.name, time.member.definition)
  const ends: Condition[] = [
    ...(from === null ? [] : [compareTime(expression, '>=', from, expander.timezone)]),
    ...(before === null ? [] : [compareTime(expression, '<', before, expander.timezone)]),
  ]
  const within: Condition =
    ends.length > 0 ? { kind: 'and', conditions: ends } : { kind: 'null', expression, negated: true }
  return withUndated ? { kind: 'or', conditions: [within, { kind: 'null', expression, negated: false }] } : within
}

/** The columns of a rollup's table, in their order. */
function rollupColumns({ dimensions, times, segments, measures }: Rollup): Column[] {
  return [
    ...dimensions.map(
      ({ name, member }): Column => ({
        alias: name,
        member: member.id,
        kind: 'dimension',
        type: member.definition.type,
      }),
    ),
    ...times.map(
      ({ name, member, granularity }): Column => ({
        alias: name,
        member: member.id,
        kind: 'timeDimension',
        type: 'time',
        granularity: granularity.name,
      }),
    ),
    ...segments.map(
      ({ name, member }): Column => ({ alias: name, member: member.id, kind: 'dimension', type: 'number' }),
    ),
    ...measures.map(
      ({ name, member }): Column => ({ alias: name, member: member.id, kind: 'measure', type: member.definition.type }),
    ),
  ]
}
