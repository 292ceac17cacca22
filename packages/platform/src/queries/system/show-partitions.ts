import { createHash } from 'node:crypto'
import { compileRollupBuild, compileRollupSql, formatLocal, parseIso, type RollupPartition } from '@hedron/semantic'
import type { RollupDefinition } from '../../rollups/definition.ts'
import { periodOf } from '../../rollups/freshness.ts'
import { tableNameOf } from '../../rollups/partition-table.ts'
import { type KeptTable, partitionKey } from '../../rollups/rollup-state.ts'
import { DataError } from '../data-error.ts'
import type { DataNeeds } from '../operations/operation-needs.ts'
import { toDataError } from '../to-data-error.ts'
import { listRollups } from './list-rollups.ts'
import type { SystemCaller } from './system-caller.ts'
import { type RollupQuery, RollupsQuery, readSystemQuery } from './system-query.ts'
import { findSystemModel, wantedRollups, zonesOf } from './wanted-rollups.ts'

/** One table of a rollup, built or not. */
export interface FoundPartition {
  readonly definition: RollupDefinition
  readonly partition: RollupPartition | null
  /** Its file on this node; undefined where it was not built yet. */
  readonly table: KeptTable | undefined
}

type Keeper = Pick<DataNeeds['rollupKeeper'], 'layoutOf' | 'look'>

/**
 * The tables of a rollup. What it is divided into is asked of its source where nobody knows yet.
 *
 * @throws {DataError}
 */
export async function findPartitions(
  keeper: Keeper,
  definition: RollupDefinition,
  signal: AbortSignal,
): Promise<readonly FoundPartition[]> {
  const { name, deploymentId, hash } = definition
  const layout = await keeper.layoutOf(definition, signal).catch(error => {
    throw toDataError(error instanceof RangeError ? new DataError(400, `${name}: ${error.message}`) : error)
  })
  const tables = keeper.look(deploymentId, hash)?.tables
  return layout.map(partition => ({ definition, partition, table: tables?.get(partitionKey(partition)) }))
}

/** The tables of pre-aggregations and what is built of them: `POST /cubejs-system/v1/pre-aggregations/partitions`. */
export function createShowPartitions(needs: DataNeeds) {
  const { rollupKeeper } = needs
  return async (caller: SystemCaller, body: unknown, signal: AbortSignal): Promise<object> => {
    const query = readSystemQuery(body, RollupsQuery)
    const found = await findSystemModel(needs, caller)
    const timezones = zonesOf(query, found.runtime)
    const listed = new Map(listRollups(found.model).map(rollup => [rollup.id, rollup]))
    const preAggregationPartitions = []
    for (const { id, asked, definitions } of wantedRollups(found, query.preAggregations, timezones)) {
      const head = { timezones, preAggregation: listed.get(id) }
      const isMissing = asked.cacheOnly === true && definitions.some(isUnknown)
      const errors = isMissing ? ['Waiting for cache'] : []
      const partitions: object[] = []
      if (asked.metaOnly !== true && !isMissing) {
        for (const definition of definitions) {
          const all = await findPartitions(rollupKeeper, definition, signal)
          partitions.push(...all.filter(each => isAsked(asked, each)).map(each => describe(each, query.expand)))
        }
      }
      const [first] = definitions
      const invalidateKeyQueries = first ? refreshKeyQueries(first) : []
      preAggregationPartitions.push({ ...head, errors, invalidateKeyQueries, partitions })
    }
    return { preAggregationPartitions }
  }

  function isUnknown({ deploymentId, hash, partitioning }: RollupDefinition): boolean {
    return partitioning !== null && !rollupKeeper.look(deploymentId, hash)?.layout
  }
}

/** Whether a query that names tables of a rollup means this one. */
export const isAsked = ({ partitions = [] }: RollupQuery, { definition, partition }: FoundPartition): boolean =>
  partitions.length === 0 || partitions.includes(tableNameOf(definition, partition))

function describe(found: FoundPartition, expand: RollupsQuery['expand']): object {
  const { definition, partition, table } = found
  const { hash, isRows, name, source, timezone } = definition
  const tableName = tableNameOf(definition, partition)
  const isShown = (part: string) => !expand || expand.includes(part)
  const structureVersion = hash.slice(0, 8)
  const entry = table && {
    table_name: tableName,
    content_version: createHash('sha256').update(table.refreshValue).digest('hex').slice(0, 8),
    structure_version: structureVersion,
    last_updated_at: table.builtAt,
    naming_version: 2,
  }
  const meta = {
    dataSource: source.name,
    preAggregationId: name,
    tableName,
    type: isRows ? 'originalSql' : 'rollup',
  }
  return {
    ...(isShown('partitions.details') ? { ...meta, timezone, ...details(found) } : {}),
    ...(isShown('partitions.meta') ? meta : {}),
    ...(isShown('partitions.versions') ? { versionEntries: entry ? [entry] : [], structureVersion } : {}),
  }
}

function details({ definition, partition, table }: FoundPartition): object {
  const { model, id, timezone, dialect, partitioning } = definition
  const { sql, parameters } = compileRollupBuild(model, id, { timezone, partition }, dialect)
  const [from = null, before = null] = partition?.range ?? []
  return {
    external: true,
    ...(partitioning === null
      ? {}
      : { partitionGranularity: partitioning, buildRangeStart: from, buildRangeEnd: lastOf(before) }),
    loadSql: [sql, parameters],
    rows: table?.rows ?? null,
    bytes: table?.bytes ?? null,
  }
}

/** The last millisecond before a local time, as the field gives ends. */
function lastOf(before: string | null): string | null {
  const local = before === null ? undefined : parseIso(before, 'UTC')?.local
  return local === undefined ? null : formatLocal(local - 1)
}

/** What is asked of the source to know whether a rollup is old; nothing where time alone says it. */
function refreshKeyQueries(definition: RollupDefinition): readonly unknown[] {
  const { model, id, timezone, dialect, refreshKey } = definition
  const statement = compileRollupSql(model, id, 'refreshKey', { timezone, partition: null }, dialect)
  return statement ? [[statement.sql, statement.parameters, { renewalThreshold: periodOf(refreshKey) / 1000 }]] : []
}
