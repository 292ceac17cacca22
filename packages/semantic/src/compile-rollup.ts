import { secureModel } from './access/secured-index.ts'
import { dialects } from './dialects/dialects.ts'
import { type FoundRollup, findRollup } from './plan/rollups/find-rollup.ts'
import { planRollupBuild, type RollupBuild } from './plan/rollups/plan-build.ts'
import { planRollupRead, type RollupTable } from './plan/rollups/plan-read.ts'
import type { RollupId } from './plan/rollups/rollup.ts'
import type { CompiledQuery, DialectName } from './shapes/compiled.ts'
import type { Model } from './shapes/model.ts'
import type { NormalizedQuery, QueryContext } from './shapes/query.ts'
import { writeOneMore, writePlan, writeTotal } from './sql/write-plan.ts'

/** Tables are built of all rows; who may see which is decided when they are read. */
const nobody: QueryContext = { securityContext: {}, groups: [], userAttributes: {} }

/** The query that fills the table of a rollup, and what the table's columns are. */
export type CompiledRollup = Pick<CompiledQuery, 'sql' | 'parameters' | 'columns' | 'dataSource' | 'cubes'>

/**
 * Which rollup answers a query, and why others don't.
 *
 * @param context who asks; a rollup answers no one whose rows it can't tell apart
 * @throws {QueryError} when the model has no way to answer the query
 */
export function matchRollup(model: Model, query: NormalizedQuery, context: QueryContext): FoundRollup {
  return findRollup(secureModel(model, context), query)
}

/**
 * Compiles the query that fills the table of a rollup, or one partition of it.
 *
 * @throws {QueryError} when the rollup's members can't be joined
 */
export function compileRollupBuild(
  model: Model,
  id: RollupId,
  build: RollupBuild,
  dialectName: DialectName,
): CompiledRollup {
  const { columns, dataSource, cubes, ...plan } = planRollupBuild(secureModel(model, nobody), id, build)
  return { ...writePlan({ ...plan, columns, dataSource, cubes }, dialects[dialectName]), columns, dataSource, cubes }
}

/** Compiles a query over the tables of the rollup that `matchRollup` found for it. Columns are those of `compileQuery`. */
export function compileRollupRead(
  model: Model,
  query: NormalizedQuery,
  context: QueryContext,
  id: RollupId,
  where: { readonly tables: readonly RollupTable[]; readonly dataSource: string },
  dialectName: DialectName,
): CompiledQuery {
  const dialect = dialects[dialectName]
  const plan = planRollupRead(secureModel(model, context), query, id, where.tables, where.dataSource)
  return {
    ...writePlan(plan, dialect),
    oneMore: writeOneMore(plan, dialect),
    columns: plan.columns,
    dataSource: plan.dataSource,
    cubes: plan.cubes,
    refreshKeys: [],
    total: query.total ? writeTotal(plan, dialect) : null,
  }
}
