import type { Column, QueryService, RollupFiles, WrittenFile } from '@hedron/query'
import { type CompiledRollup, compileRollupBuild, type DialectName, type RollupPartition } from '@hedron/semantic'
import { rollups, type Store } from '@hedron/store'
import { type Effects, randomId } from '../effects.ts'
import type { RollupDefinition } from './definition.ts'
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
  room: { readonly maximumBytes: number; readonly signal: AbortSignal },
) => Promise<Omit<KeptTable, 'validUntil'> | null>

/** How often a build says that it runs, and after how long of silence it counts as left behind by a node that died. */
const beatMs = 10_000
const abandonedMs = 45_000

/**
 * Fills a table from its source: rows are streamed into a file, which gets its name when it is complete, and the store is told of it
 * last. Wherever the process is killed, what was there before stays what answers.
 */
export function createBuildTable({ store, effects, queryService, files, node, poolName }: BuildNeeds): BuildTable {
  return async (definition, partition, refreshValue, { maximumBytes, signal }) => {
    const { accountId, deploymentId, hash, source, sortBy, dialect } = definition
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
      const builtAt = effects.now()
      const { stream, columns: planned } = await readSource()
      let written: WrittenFile
      try {
        const rows = { columns: nameColumns(stream.columns, planned, dialect), portions: stream }
        written = await files.write(deploymentId, rows, { file, sortBy, maximumBytes, signal })
      } finally {
        stream.close()
      }
      const { columns, rows: rowCount, bytes } = written
      const finished = { file, columns, refreshValue, builtAt, rowCount, byteCount: bytes }
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
      }
    } catch (error) {
      await files.remove(deploymentId, file)
      const errorText = error instanceof Error ? error.message : String(error)
      await rollups.failTable(store.kysely, key, { errorText, failedAt: effects.now() })
      throw error
    } finally {
      clearInterval(beat)
    }

    async function readSource() {
      const { model, id, timezone, name } = definition
      const { sql, parameters, columns } = compileRollupBuild(model, id, { timezone, partition }, dialect)
      const stream = await queryService.stream(
        {
          pool: poolName(deploymentId),
          source,
          sql,
          parameters,
          requestId: `rollup ${hash} ${key.partition}`,
          owner: 'rollups',
          comment: `hedron rollup ${name}`,
        },
        signal,
      )
      return { stream, columns }
    }
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
