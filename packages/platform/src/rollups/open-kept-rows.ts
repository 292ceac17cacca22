import type { IncomingRows, QueryService, RowStream } from '@hedron/query'
import { compileKeptRows, type RollupPartition, type WantedRows } from '@hedron/semantic'
import type { RollupDefinition } from './definition.ts'
import { partitionKey } from './rollup-state.ts'

/** Streams give moments to the millisecond, and rows that stand for the source's own have all that it has. */
const finerThanStreams = /^(date|timestamp)$/

/**
 * The rows of a cube as its source has them, for what keeps them (`original_sql`). The stream has to be closed.
 *
 * @throws {QueryServiceError} what the source says
 */
export async function openKeptRows(
  queryService: QueryService,
  poolName: (deploymentId: number) => string,
  { model, id, timezone, name, dialect, source, hash, deploymentId }: RollupDefinition,
  partition: RollupPartition | null,
  signal: AbortSignal,
): Promise<{ readonly stream: RowStream; readonly rows: IncomingRows }> {
  const open = (wanted: WantedRows) => {
    const { sql, parameters } = compileKeptRows(model, id, { timezone, partition }, dialect, wanted)
    const request = {
      pool: poolName(deploymentId),
      source,
      sql,
      parameters,
      requestId: `rollup ${hash} ${partitionKey(partition)}`,
      owner: 'rollups',
      comment: `hedron rollup ${name}`,
    }
    return queryService.stream(request, signal)
  }
  // What columns there are is known to the source alone.
  const described = await open('columns only')
  described.close()
  const { columns } = described
  const wanted = columns.map(column => ({ name: column.name, asText: finerThanStreams.test(column.type) }))
  const stream = await open({ columns: wanted })
  return { stream, rows: { columns, portions: stream } }
}
