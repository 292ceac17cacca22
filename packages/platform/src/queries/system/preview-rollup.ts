import type { DataSource } from '@hedron/query'
import { tableNameOf } from '../../rollups/partition-table.ts'
import { DataError } from '../data-error.ts'
import { poolName } from '../deployment-runtime.ts'
import type { DataNeeds } from '../operations/operation-needs.ts'
import { toDataError } from '../to-data-error.ts'
import { findPartitions } from './show-partitions.ts'
import type { SystemCaller } from './system-caller.ts'
import { PreviewQuery, readSystemQuery } from './system-query.ts'
import { findSystemModel, wantedRollups, zonesOf } from './wanted-rollups.ts'

/** As many rows of a table as the field shows. */
const mostRows = 1000

/**
 * The first rows of a table, as they are kept: `POST /cubejs-system/v1/pre-aggregations/preview`. They are everybody's rows, which is why
 * the playground secret is for those alone who work on the deployment.
 */
export function createPreviewRollup(
  needs: DataNeeds & { readonly rollupSource: (deploymentId: number) => DataSource },
) {
  const { rollupKeeper, queryService, rollupSource } = needs
  return async (caller: SystemCaller, body: unknown, context: Context): Promise<object> => {
    const { deploymentId } = caller
    const { preAggregationId, timezone, versionEntry } = readSystemQuery(body, PreviewQuery)
    const found = await findSystemModel(needs, caller)
    const timezones = zonesOf({ timezone }, found.runtime)
    const [wanted] = wantedRollups(found, [{ id: preAggregationId }], timezones)
    const [definition] = wanted?.definitions ?? []
    const partitions = definition ? await findPartitions(rollupKeeper, definition, context.signal) : []
    const partition = partitions.find(each => tableNameOf(each.definition, each.partition) === versionEntry.table_name)
    if (!partition) {
      throw new DataError(
        400,
        `"${preAggregationId}" has no table ${JSON.stringify(versionEntry.table_name)}. See "partitions".`,
      )
    }
    const { table } = partition
    if (!table) throw new DataError(400, `${versionEntry.table_name} was not built yet. Build it with "build".`)
    const request = {
      pool: poolName(deploymentId),
      source: rollupSource(deploymentId),
      // The engine reads files that a statement names itself; this name is one that we made.
      sql: `SELECT * FROM read_parquet('${table.file}') LIMIT ${mostRows}`,
      parameters: [],
      cache: 'no-cache',
      refresh: { everyMs: 0 },
      waitMs: Number.POSITIVE_INFINITY,
      maximumRows: mostRows,
      requestId: context.requestId,
      owner: 'rollups',
      comment: `hedron preview ${preAggregationId}`,
    } as const
    try {
      const { columns, rows } = await queryService.run(request, context.signal)
      const data = rows.map(row =>
        Object.fromEntries(columns.map(({ name }, position) => [name, row[position] ?? null])),
      )
      return { preview: { data, lastRefreshTime: new Date(table.builtAt).toISOString(), external: true } }
    } catch (error) {
      throw toDataError(error)
    }
  }
}

interface Context {
  readonly requestId: string
  readonly signal: AbortSignal
}
