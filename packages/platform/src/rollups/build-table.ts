import type { Column, DataSource, IncomingRows, QueryService, RollupFiles, RowStream, WrittenFile } from '@hedron/query'
import {
  type CompiledRollup,
  compileRollupBuild,
  type DialectName,
  type KeptTables,
  type RollupPartition,
} from '@hedron/semantic'
import { rollups, type Store } from '@hedron/store'
import { type Effects, randomId } from '../effects.ts'
import type { RollupDefinition } from './definition.ts'
import { openKeptRows } from './open-kept-rows.ts'
import { type KeptTable, partitionKey } from './rollup-state.ts'

interface BuildNeeds {
  readonly store: Store
  readonly effects: Effects
  readonly queryService: QueryService
  readonly files: RollupFiles
  readonly node: string
  readonly poolName: (deploymentId: number) => string
}

/** Builds one partition, or the whole of a rollup that has none. Gives null where somebody else builds the same just now. */
export type BuildTable = (
  definition: RollupDefinition,
  partition: RollupPartition | null,
  refreshValue: string,
  how: { readonly maximumBytes: number; readonly signal: AbortSignal; readonly madeOf: KeptSource | null },
) => Promise<Omit<KeptTable, 'validUntil'> | null>

/** Kept rows of cubes, from which a rollup is built in place of the source. */
export interface KeptSource {
  readonly tables: KeptTables
  /** When the source was asked for the oldest of them. */
  readonly builtAt: number
  /** Changes when any of them is built again because its refresh key changed. */
  readonly value: string
  /** Until when they are as fresh as their keys ask. */
  readonly until: number
}

/** How often a build says that it runs, and after how long of silence it counts as left behind by a node that died. */
const beatMs = 10_000
const abandonedMs = 45_000

/**
 * Fills a table from its source: rows are streamed into a file, which gets its name when it is complete, and the store is told of it
 * last. Wherever the process is killed, what was there before stays what answers.
 */
export function createBuildTable({ store, effects, queryService, files, node, poolName }: BuildNeeds): BuildTable {
  return async (definition, partition, refreshValue, { maximumBytes, signal, madeOf }) => {
    const { accountId, deploymentId, hash, sortBy, steps } = definition
    const key = { accountId, deploymentId, definition: hash, node, partition: partitionKey(partition) }
    const claimedAt = effects.now()
    const abandonedBefore = new Date(claimedAt.getTime() - abandonedMs)
    const isTaken = await store.transaction(transaction =>
      rollups.claimTable(transaction, key, { now: claimedAt, abandonedBefore }),
    )
    if (!isTaken) return null
    const beat = setInterval(() => {
      // A beat that fails is followed by another; at worst a second node builds the same rows.
      rollups.keepClaim(store.kysely, key, effects.now()).catch(() => {})
    }, beatMs)
    const file = `${randomId(effects)}.parquet`
    try {
      const builtAt = madeOf ? new Date(madeOf.builtAt) : effects.now()
      const from = madeOf && { source: files.source(deploymentId), tables: madeOf.tables }
      const { stream, rows: incoming } = definition.isRows
        ? await openKeptRows(queryService, poolName, definition, partition, signal)
        : await openRows(queryService, poolName, definition, partition, signal, from)
      let written: WrittenFile
      try {
        const timeColumn = steps?.column ?? null
        const keepsTypes = definition.isRows
        const target = { file, sortBy, timeColumn, maximumBytes, keepsTypes, signal }
        written = await files.write(deploymentId, incoming, target)
      } finally {
        stream.close()
      }
      const { columns, rows: rowCount, bytes, lastTime: lastStep } = written
      const finished = { file, columns, refreshValue, builtAt, rowCount, byteCount: bytes, lastStep }
      if (!(await rollups.finishTable(store.kysely, key, finished))) {
        throw new Error('The rollup was dropped while it was built')
      }
      return {
        partition: key.partition,
        file,
        columns,
        refreshValue,
        builtAt: builtAt.getTime(),
        rows: rowCount,
        bytes,
        lastStep,
      }
    } catch (error) {
      await files.remove(deploymentId, file)
      const errorText = error instanceof Error ? error.message : String(error)
      await rollups.failTable(store.kysely, key, { errorText, failedAt: effects.now() })
      throw error
    } finally {
      clearInterval(beat)
    }
  }
}

/**
 * The rows of a partition, or of all, as the source gives them. The stream has to be closed.
 *
 * @param from kept rows of its cubes, and what reads them, in place of the source
 * @throws {Error} for what can't be read back as it is
 */
export async function openRows(
  queryService: QueryService,
  poolName: BuildNeeds['poolName'],
  { model, id, timezone, name, dialect, source, hash, deploymentId }: RollupDefinition,
  partition: RollupPartition | null,
  signal: AbortSignal,
  from: { readonly source: DataSource; readonly tables: KeptTables } | null = null,
): Promise<{ readonly stream: RowStream; readonly rows: IncomingRows }> {
  const build = { timezone, partition }
  const { sql, parameters, columns } = compileRollupBuild(model, id, build, dialect, from?.tables)
  const request = {
    pool: poolName(deploymentId),
    source: from?.source ?? source,
    sql,
    parameters,
    requestId: `rollup ${hash} ${partitionKey(partition)}`,
    owner: 'rollups',
    comment: `hedron rollup ${name}`,
  }
  const stream = await queryService.stream(request, signal)
  try {
    return { stream, rows: { columns: nameColumns(stream.columns, columns, dialect), portions: stream } }
  } catch (error) {
    stream.close()
    throw error
  }
}

/** The source's columns under the names that were planned, which a database may cut. @throws {Error} for what can't be read back as it is */
function nameColumns(columns: readonly Column[], planned: CompiledRollup['columns'], dialect: DialectName): Column[] {
  return columns.map((column, position) => {
    const plan = planned[position]
    if (!plan) throw new Error('A rollup has more columns than were planned')
    if (dialect !== 'duckdb' && column.type === 'string' && (plan.type === 'min' || plan.type === 'max')) {
      throw new Error(`"${plan.member}" is the ${plan.type} of texts, whose order is that of the source's collation`)
    }
    return { ...column, name: plan.alias }
  })
}
