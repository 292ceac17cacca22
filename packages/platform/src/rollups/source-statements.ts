import { createHash } from 'node:crypto'
import type { QueryService, Table } from '@hedron/query'
import {
  compileRollupRange,
  compileRollupSql,
  localTimeOf,
  partitionsOf,
  type RollupPartition,
  type Statement,
} from '@hedron/semantic'
import type { RollupDefinition } from './definition.ts'
import { closedAt, endOf, type Freshness, periodOf, timedFreshness } from './freshness.ts'
import type { Layout } from './rollup-state.ts'

/** What a rollup asks of its source beside its rows. */
export interface SourceStatements {
  /** Which partitions there are now. @throws {QueryServiceError} {RangeError} */
  survey(definition: RollupDefinition, signal: AbortSignal): Promise<Layout>
  /** What the refresh key says of a partition now. @throws {QueryServiceError} */
  freshness(definition: RollupDefinition, partition: RollupPartition | null, signal: AbortSignal): Promise<Freshness>
}

/** As the field's `maxPartitions` (data-model.md section 10). */
const maximumPartitions = 10_000

export function createSourceStatements(need: {
  readonly queryService: QueryService
  readonly poolName: (deploymentId: number) => string
  readonly now: () => number
}): SourceStatements {
  const { queryService, poolName, now } = need

  const ask = (definition: RollupDefinition, { sql, parameters }: Statement, signal: AbortSignal): Promise<Table> =>
    queryService.run(
      {
        pool: poolName(definition.deploymentId),
        source: definition.source,
        sql,
        parameters,
        cache: 'must-revalidate',
        // Partitions whose statements are the same ask once.
        refresh: { everyMs: definition.refreshKey.sql === null ? 0 : Math.min(1000, periodOf(definition.refreshKey)) },
        waitMs: Number.POSITIVE_INFINITY,
        maximumRows: 1000,
        requestId: `rollup ${definition.hash}`,
        owner: 'rollups',
        comment: `hedron rollup ${definition.name}`,
      },
      signal,
    )

  /** A time that the author's own statement gives, as a local time of the rollup. */
  async function written(definition: RollupDefinition, name: 'buildRangeStart' | 'buildRangeEnd', signal: AbortSignal) {
    const { model, id, timezone, dialect } = definition
    const statement = compileRollupSql(model, id, name, { timezone, partition: null }, dialect)
    if (!statement) return null
    const { rows } = await ask(definition, statement, signal)
    const value = rows[0]?.[0]
    if (typeof value !== 'string') throw new RangeError(`the SQL of its ${name} gave no time`)
    return localTimeOf(value, timezone)
  }

  return {
    async survey(definition, signal) {
      const { model, id, timezone, dialect, partitioning, hasRangeStart, hasRangeEnd } = definition
      if (partitioning === null) return [null]
      const start = await written(definition, 'buildRangeStart', signal)
      const end = await written(definition, 'buildRangeEnd', signal)
      const opens = { opensBefore: !hasRangeStart, opensAfter: !hasRangeEnd }
      if (start !== null && end !== null) {
        return partitionsOf(partitioning, { from: start, to: end < start ? start : end, ...opens }, maximumPartitions)
      }
      const { rows } = await ask(definition, compileRollupRange(model, id, timezone, dialect), signal)
      const [first, last] = [text(rows[0]?.[0]), text(rows[0]?.[1])]
      const from = start ?? first ?? end
      const to = end ?? last ?? from
      // No rows yet: one partition holds those to come.
      if (from === null || to === null) return [{ range: [null, null], withUndated: true }]
      const range = from <= to ? { from, to } : start === null ? { from: to, to } : { from, to: from }
      return partitionsOf(partitioning, { ...range, ...opens }, maximumPartitions)
    },

    async freshness(definition, partition, signal) {
      const { model, id, timezone, dialect, refreshKey } = definition
      const askedAt = now()
      const isClosed = closedAt(refreshKey, endOf(partition, timezone), askedAt)
      if (isClosed) return isClosed
      const statement = compileRollupSql(model, id, 'refreshKey', { timezone, partition }, dialect)
      if (!statement) return timedFreshness(refreshKey, askedAt)
      const { rows } = await ask(definition, statement, signal)
      const value = createHash('sha256')
        .update(JSON.stringify([statement, rows]))
        .digest('hex')
      return { value, until: askedAt + periodOf(refreshKey) }
    },
  }
}

const text = (cell: unknown): string | null => (typeof cell === 'string' ? cell : null)
