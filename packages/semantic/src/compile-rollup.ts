import { type SecuredIndex, secureModel } from './access/secured-index.ts'
import { type KeptTables, keptRows } from './compile-kept-rows.ts'
import { dialects } from './dialects/dialects.ts'
import { tellableOnes } from './explain/tellable.ts'
import { queryMembers } from './plan/query-members.ts'
import { type FoundRollup, findRollup } from './plan/rollups/find-rollup.ts'
import { keptRowsMiss, rowsKeeperOf, withKeptRows } from './plan/rollups/kept-rows.ts'
import { planRollupBuild, type RollupBuild } from './plan/rollups/plan-build.ts'
import { planKeptRows } from './plan/rollups/plan-kept-rows.ts'
import { planRollupRange } from './plan/rollups/plan-range.ts'
import { planRollupRead } from './plan/rollups/plan-read.ts'
import { planRollupSql, type RollupSqlName } from './plan/rollups/plan-sql.ts'
import { partitionGranularityOf, type RollupId, rollupOf } from './plan/rollups/rollup.ts'
import { type RollupPlace, rollupRelation } from './plan/rollups/rollup-relation.ts'
import { isStagedQuery, planStagedRead } from './plan/rollups/staged-rollup.ts'
import type { CompiledQuery, DialectName, Statement } from './shapes/compiled.ts'
import type { Model } from './shapes/model.ts'
import type { NormalizedQuery, QueryContext } from './shapes/query.ts'
import type { PartitionGranularity } from './shapes/vocabulary.ts'
import { writePages, writePlan, writeStatement, writeTotal } from './sql/write-plan.ts'
import { bucketStart } from './time/calendar.ts'
import { formatLocal, parseIso } from './time/local-time.ts'

/** Tables are built of all rows; who may see which is decided when they are read. */
const nobody: QueryContext = { securityContext: {}, groups: [], userAttributes: {} }

/** The query that fills the table of a rollup, and what the table's columns are. */
export type CompiledRollup = Pick<CompiledQuery, 'sql' | 'parameters' | 'columns' | 'dataSource' | 'cubes'>

type DialectOf = (dataSource: string) => DialectName

const usualDialect: DialectOf = () => 'duckdb'

/**
 * Which rollup answers a query, and why others don't.
 *
 * @param context who asks; a rollup answers no one whose rows it can't tell apart
 * @param dialectOf what the data sources speak; tables of rollups are read as DuckDB reads them
 * @returns with what the caller may be told of the rollups that were considered
 * @throws {QueryError} when the model has no way to answer the query
 */
export function matchRollup(
  model: Model,
  query: NormalizedQuery,
  context: QueryContext,
  dialectOf: DialectOf = usualDialect,
): FoundRollup {
  const index = secureModel(model, context)
  const found = findRollup(index, query, dialectOf)
  return { ...found, considered: tellableOnes(index, found.considered) }
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
  database: DialectName | DialectOf,
  kept: KeptTables = new Map(),
): CompiledRollup {
  const index = secureModel(model, nobody)
  if (rollupOf(index, id).definition.type === 'original_sql') return compileRows(index, id, build, database)
  const { columns, dataSource, cubes, ...plan } = planRollupBuild(withKeptRows(index, keptRows(kept)), id, build)
  const dialect = dialects[typeof database === 'function' ? database(dataSource) : database]
  return { ...writePlan({ ...plan, columns, dataSource, cubes }, dialect), columns, dataSource, cubes }
}

/** The rows of a cube as they are: which columns they have is known to their source alone. */
function compileRows(
  index: SecuredIndex,
  id: RollupId,
  build: RollupBuild,
  database: DialectName | DialectOf,
): CompiledRollup {
  const { dataSource } = index.cube(id.cube)
  const { statement, cubes } = planKeptRows(index, id, build, { columns: null, isEmpty: false })
  const dialect = dialects[typeof database === 'function' ? database(dataSource) : database]
  return { ...writeStatement(statement, dialect), columns: [], dataSource, cubes }
}

/**
 * What keeps the rows of all cubes that a rollup is made of, where its author wants it built from those
 * (`use_original_sql_pre_aggregations`); null where it is built from the source.
 */
export function keptRowsOf(model: Model, id: RollupId, dialectOf: DialectOf): readonly RollupId[] | null {
  const index = secureModel(model, nobody)
  const { definition, reads } = rollupOf(index, id)
  if (definition.type !== 'rollup' || !definition.useOriginalSqlPreAggregations) return null
  const keepers = reads.flatMap(cube => rowsKeeperOf(index, cube) ?? [])
  const isWhole = keepers.length === reads.length && new Set(reads.map(cube => index.cube(cube).dataSource)).size === 1
  return isWhole && reads.every(cube => keptRowsMiss(index, cube, dialectOf) === null) ? keepers : null
}

/**
 * Compiles the query for the first and the last step of time that a partitioned rollup's source has: one row of two local times.
 *
 * @throws {QueryError} when the rollup's members can't be joined
 */
export function compileRollupRange(model: Model, id: RollupId, timezone: string, dialectName: DialectName): Statement {
  return writePlan(planRollupRange(secureModel(model, nobody), id, timezone), dialects[dialectName])
}

/** By what the tables of a rollup are cut; null: it is one table. */
export function rollupPartitioning(model: Model, id: RollupId): PartitionGranularity | null {
  return partitionGranularityOf(rollupOf(secureModel(model, nobody), id))
}

/** The steps of time in which a rollup keeps its rows. */
export interface RollupSteps {
  /** Its table's column of them. */
  readonly column: string
  /** The step that holds a local time; null where only the source knows where steps begin. */
  startOf(local: string): string | null
}

/** The steps of a rollup's first time dimension, by which it is partitioned; null: it has none. */
export function rollupSteps(model: Model, id: RollupId): RollupSteps | null {
  const { definition, times } = rollupOf(secureModel(model, nobody), id)
  const [time] = times
  // Rows of a cube have no steps, only partitions.
  if (!time || definition.type === 'original_sql') return null
  const { bucket } = time.granularity
  return {
    column: time.name,
    startOf(text) {
      const local = parseIso(text, 'UTC')?.local
      return local === undefined || bucket.kind === 'calendar' ? null : formatLocal(bucketStart(bucket, local))
    },
  }
}

/** Compiles a statement that the author wrote for a rollup: its refresh key, or an end of its range. Null where there is none. */
export function compileRollupSql(
  model: Model,
  id: RollupId,
  name: RollupSqlName,
  build: RollupBuild,
  dialectName: DialectName,
): Statement | null {
  const sql = planRollupSql(secureModel(model, nobody), id, name, build)
  return sql && writeStatement(sql, dialects[dialectName])
}

/** Compiles a query over the tables of the rollup that `matchRollup` found for it. Columns are those of `compileQuery`. */
export function compileRollupRead(
  model: Model,
  query: NormalizedQuery,
  context: QueryContext,
  id: RollupId,
  where: RollupPlace,
  dialectName: DialectName,
  dialectOf: DialectOf = usualDialect,
): CompiledQuery {
  const dialect = dialects[dialectName]
  const index = secureModel(model, context)
  const members = queryMembers(index, query)
  const root = rollupRelation(index, id, where, dialectOf)
  const plan = isStagedQuery(index, members)
    ? planStagedRead(index, query, members, id, root, where.dataSource)
    : planRollupRead(index, query, id, root, where.dataSource)
  return {
    ...writePages(plan, dialect),
    columns: plan.columns,
    dataSource: plan.dataSource,
    cubes: plan.cubes,
    refreshKeys: [],
    total: query.total ? writeTotal(plan, dialect) : null,
  }
}
