import {
  type Cell,
  type Parameter,
  QueryServiceError,
  type Refresh,
  type RowQuery,
  type RowStream,
} from '@hedron/query'
import type { SqlPart, SqlPlan } from '@hedron/sql'
import type { DataCaller } from '../queries/data-caller.ts'
import { poolName } from '../queries/deployment-runtime.ts'
import type { OperationNeeds } from '../queries/operations/operation-needs.ts'
import { ownerOf } from '../queries/owner-of.ts'
import { refreshOf } from '../queries/refresh-of.ts'
import { findRollupAnswer, isFaultOfTables, refreshOfTables } from '../queries/rollup-answer.ts'
import { sourceOf } from '../queries/run-statement.ts'
import type { RollupAnswer } from '../rollups/answer-from-rollup.ts'
import type { PlannedSql } from './plan-statement.ts'
import type { SqlRows, SqlRunOptions } from './sql-session.ts'
import { toSqlDataError } from './to-sql-error.ts'

type Rows = AsyncIterable<readonly (readonly Cell[])[]>

type RunNeeds = Pick<OperationNeeds, 'effects' | 'queryService' | 'rollups'>

/** A statement that a data source runs. */
interface SourceStatement {
  readonly sql: string
  readonly parameters: readonly Parameter[]
  readonly dataSource: string
  readonly parts: readonly SqlPart[]
  /** Absent: as the parts say. */
  readonly refresh?: Refresh
}

/** How long the embedded engine may compute what is about no data source, in milliseconds. */
const computeTimeout = 600_000

/** Runs planned statements where they are planned to run. */
export function createRunPlan({ effects, queryService, rollups }: RunNeeds) {
  return async (caller: DataCaller, planned: PlannedSql, options: SqlRunOptions): Promise<SqlRows> => {
    const { plan, runtime } = planned
    const kept = await findRollupAnswer(rollups, { runtime, cache: options.cache }, planned, options.waitMs)
    const pool = poolName(runtime.deploymentId)
    const started = effects.now()
    const requestOf = ({ sql, parameters, dataSource }: SourceStatement): RowQuery => ({
      pool,
      source: sourceOf(runtime, dataSource),
      sql,
      parameters,
      requestId: options.requestId,
      owner: ownerOf(caller),
      comment: `hedron ${options.requestId}`,
    })
    const { kind, statement, parts } = plan
    const [part] = parts
    if (kind === 'post_processing' && statement) {
      const tables = parts.map(({ name, columns, compiled }) => ({
        name,
        columns: columns.map(column => column.name),
        open: (signal: AbortSignal) => queryService.stream(requestOf({ ...compiled, parts }), signal),
      }))
      const sources = parts.map(({ compiled }) => sourceOf(runtime, compiled.dataSource))
      // It may take as long as the slowest of its sources may.
      const timeoutMs = sources.length === 0 ? computeTimeout : Math.max(...sources.map(source => source.timeoutMs))
      const { requestId, signal } = options
      const computation = { pool, requestId, owner: ownerOf(caller), tables, ...statement, timeoutMs }
      const rows = await queryService.compute(computation, signal)
      return { rows: withErrors(rows), lastRefreshTime: started }
    }
    if (!part) throw new Error('a statement without parts runs in the embedded engine')
    if (kept) {
      try {
        return await fromRollup(kept, part)
      } catch (error) {
        if (!isFaultOfTables(toSqlDataError(error))) throw error
        rollups.distrust(kept)
        if (runtime.rollups.isOnly) throw error
      }
    }
    const { dataSource } = part.compiled
    const text: SourceStatement =
      kind === 'pushdown' && statement ? { ...statement, dataSource, parts } : { ...part.compiled, parts }
    const found = await fromSource(requestOf(text), text)
    return kind === 'regular' ? { ...found, rows: chosen(found.rows, plan, part) } : found

    /** From tables that were kept ready. */
    async function fromRollup({ compiled, source, builtAt }: RollupAnswer, of: SqlPart): Promise<SqlRows> {
      const { sql, parameters } = compiled
      const { dataSource } = of.compiled
      const text = { sql, parameters, dataSource, parts: [of], refresh: refreshOfTables }
      const { rows } = await fromSource({ ...requestOf(text), source }, text)
      const places = of.compiled.columns.map(column =>
        compiled.columns.findIndex(
          ({ kind: found, member, granularity }) =>
            found === column.kind && member === column.member && granularity === column.granularity,
        ),
      )
      const positions = plan.positions.map(position => places[position] ?? -1)
      return { rows: chosen(rows, { positions }, { compiled }), lastRefreshTime: builtAt }
    }

    /** Answers that may be large are streamed; others come from the cache, or go into it, unless they turn out to be. */
    async function fromSource(request: RowQuery, of: SourceStatement): Promise<SqlRows> {
      if (!mayBeLarge(plan)) {
        try {
          const refreshKeys = of.parts.flatMap(({ compiled }) => compiled.refreshKeys)
          const refresh = of.refresh ?? refreshOf(refreshKeys, effects.now())
          const { cache, waitMs, signal } = options
          const whole = { ...request, cache, refresh, waitMs, maximumRows: runtime.maximumLimit }
          const { rows, lastRefreshTime } = queryService.current(whole) ?? (await queryService.run(whole, signal))
          return { rows: portions(rows), lastRefreshTime }
        } catch (error) {
          if (!isTooLarge(error)) throw error
        }
      }
      const stream: RowStream = await queryService.stream(request, options.signal)
      return { rows: withErrors(stream), lastRefreshTime: started }
    }
  }
}

/** Rows of a table without a limit of the statement's own. */
const mayBeLarge = ({ kind, parts }: SqlPlan) =>
  kind === 'regular' && parts.some(({ query }) => query.ungrouped === true && query.limit === Number.POSITIVE_INFINITY)

const isTooLarge = (error: unknown) =>
  error instanceof QueryServiceError && (error.code === 'too_many_rows' || error.code === 'result_too_large')

const portionRows = 2_048

async function* portions(rows: readonly (readonly Cell[])[]): AsyncGenerator<readonly (readonly Cell[])[]> {
  for (let start = 0; start < rows.length; start += portionRows) yield rows.slice(start, start + portionRows)
}

async function* withErrors(rows: Rows): AsyncGenerator<readonly (readonly Cell[])[]> {
  try {
    yield* rows
  } catch (error) {
    throw toSqlDataError(error)
  }
}

/** The columns of the answer out of those of the part. */
function chosen(rows: Rows, { positions }: Pick<SqlPlan, 'positions'>, { compiled }: Pick<SqlPart, 'compiled'>): Rows {
  const isSame =
    positions.length === compiled.columns.length && positions.every((position, index) => position === index)
  return isSame ? rows : chooseColumns(rows, positions)
}

async function* chooseColumns(rows: Rows, positions: readonly number[]): AsyncGenerator<readonly (readonly Cell[])[]> {
  for await (const portion of rows) {
    yield portion.map(row => positions.map(position => row[position] ?? null))
  }
}
