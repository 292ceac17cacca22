import { createHash } from 'node:crypto'
import type { DataSource } from '@hedron/query'
import {
  compileRollupBuild,
  type DialectName,
  keptRowsOf,
  type Model,
  type PreAggregation,
  type RollupId,
  type RollupSteps,
  rollupPartitioning,
  rollupSteps,
} from '@hedron/semantic'
import { LRUCache } from 'lru-cache'
import { dialectOf } from '../queries/dialect-of.ts'

/** All that decides which rows a rollup has, for one deployment and time zone. */
export interface RollupDefinition {
  readonly accountId: number
  readonly deploymentId: number
  readonly id: RollupId
  /** `cube.rollup` */
  readonly name: string
  /** `cube_rollup`, or with the names that `sql_alias` of both gives. */
  readonly tableName: string
  readonly timezone: string
  /** Of everything that its rows depend on; branches whose definitions are the same share them. */
  readonly hash: string
  readonly model: Model
  readonly source: DataSource
  readonly dialect: DialectName
  /** Whose rows it is made of. */
  readonly cubes: readonly string[]
  readonly partitioning: PreAggregation['partitionGranularity']
  readonly refreshKey: PreAggregation['refreshKey']
  readonly hasRangeStart: boolean
  readonly hasRangeEnd: boolean
  /** Columns of its table by which it is sorted: those of its first index. */
  readonly sortBy: readonly string[]
  /** The steps of its time; null: it has none. */
  readonly steps: RollupSteps | null
  /** Whether it is the rows of a cube as they are (`original_sql`). */
  readonly isRows: boolean
  /** What keeps the rows that it is built from (`use_original_sql_pre_aggregations`); none: it is built from the source. */
  readonly madeOf: readonly RollupDefinition[]
}

/** Of which deployment, and where its rows come from. */
export interface RollupPlace {
  readonly accountId: number
  readonly deploymentId: number
  /** @throws {QueryServiceError} when there is none of that name */
  sourceOf(name: string): DataSource
}

/** Changes when files are written in another way. */
const format = 2

/** Bounded: callers choose the time zones. */
const known = new WeakMap<Model, LRUCache<string, RollupDefinition>>()

/** @throws {QueryError} when the rollup's members can't be joined; {QueryServiceError} when its data source can't be used */
export function defineRollup(model: Model, id: RollupId, timezone: string, place: RollupPlace): RollupDefinition {
  const own = known.get(model) ?? new LRUCache<string, RollupDefinition>({ max: 2_000 })
  known.set(model, own)
  const dataSource = cubeOf(model, id)?.dataSource ?? 'default'
  const { fingerprint } = place.sourceOf(dataSource)
  const key = JSON.stringify([place.deploymentId, id.cube, id.name, timezone, fingerprint])
  const found = own.get(key)
  if (found) return found
  const definition = define(model, id, timezone, place)
  own.set(key, definition)
  return definition
}

function define(model: Model, id: RollupId, timezone: string, place: RollupPlace): RollupDefinition {
  const { accountId, deploymentId, sourceOf } = place
  const preAggregation = findRollupOf(model, id)
  if (!preAggregation) throw new Error(`The model has no pre-aggregation '${id.cube}.${id.name}'`)
  const { refreshKey, buildRange, indexes } = preAggregation
  const build = compileRollupBuild(model, id, { timezone, partition: null }, name => dialectOf(sourceOf(name)))
  const source = sourceOf(build.dataSource)
  const partitioning = rollupPartitioning(model, id)
  const [index] = indexes
  const sortBy = (index?.columns ?? []).flatMap(({ cube, member }) =>
    build.columns.filter(column => column.member === `${cube}.${member}`).map(({ alias }) => alias),
  )
  // Cut by its time, a rollup depends on its zone even where the query that fills it does not.
  const zone = partitioning === null ? null : timezone
  const content = [format, build.sql, build.parameters, source.fingerprint, partitioning, zone, buildRange, refreshKey]
  return {
    accountId,
    deploymentId,
    id,
    name: `${id.cube}.${id.name}`,
    tableName: `${cubeOf(model, id)?.sqlAlias ?? id.cube}_${preAggregation.sqlAlias ?? id.name}`,
    timezone,
    hash: createHash('sha256')
      .update(JSON.stringify([content, sortBy]))
      .digest('hex'),
    model,
    source,
    dialect: dialectOf(source),
    cubes: build.cubes,
    partitioning,
    refreshKey,
    hasRangeStart: buildRange.start !== null,
    hasRangeEnd: buildRange.end !== null,
    sortBy,
    steps: rollupSteps(model, id),
    isRows: preAggregation.type === 'original_sql',
    madeOf: (keptRowsOf(model, id, name => dialectOf(sourceOf(name))) ?? []).map(own =>
      defineRollup(model, own, timezone, place),
    ),
  }
}

const cubeOf = (model: Model, { cube }: Pick<RollupId, 'cube'>) => model.cubes.find(({ name }) => name === cube)

const findRollupOf = (model: Model, id: RollupId): PreAggregation | undefined =>
  cubeOf(model, id)?.preAggregations.find(({ name }) => name === id.name)

const withRollups = new WeakMap<Model, boolean>()

/** Whether a model has any pre-aggregation. */
export function hasRollups(model: Model): boolean {
  const found = withRollups.get(model) ?? model.cubes.some(({ preAggregations }) => preAggregations.length > 0)
  withRollups.set(model, found)
  return found
}
