import { QueryServiceError } from '@hedron/query'
import {
  type CompiledQuery,
  compileRollupRead,
  type FoundPart,
  type FoundRollup,
  type Model,
  matchRollup,
  type NormalizedQuery,
  type QueryContext,
  QueryError,
  type RollupId,
  type RollupTable,
} from '@hedron/semantic'
import type { DeploymentRuntime } from '../queries/deployment-runtime.ts'
import { dialectOf } from '../queries/dialect-of.ts'
import { defineRollup, hasRollups, type RollupDefinition } from './definition.ts'

/** The rollup that a query would be answered from, were its tables there; or why none would do. */
export type PlannedRollup =
  | {
      readonly id: RollupId
      readonly deploymentId: number
      /** Of the rows that its measures are of. */
      readonly dataSource: string
      /** Rollups of whose tables it is made, and which of their partitions are needed: several where it joins them. */
      readonly parts: readonly PlannedPart[]
      /** The query over its tables. */
      readonly read: (tables: readonly (readonly RollupTable[])[]) => CompiledQuery
    }
  | { readonly id: RollupId | null; readonly miss: string }

export interface PlannedPart {
  readonly definition: RollupDefinition
  readonly range: FoundPart['range']
}

interface Planning {
  readonly model: Model
  readonly query: NormalizedQuery
  readonly context: QueryContext
  readonly runtime: DeploymentRuntime
}

/**
 * Finds the rollup of the model that answers a query for a caller. Null where the model has no rollups.
 *
 * A failure to find one is no failure of the query: its source answers.
 */
export function planRollup({ model, query, context, runtime }: Planning): PlannedRollup | null {
  if (!hasRollups(model)) return null
  try {
    const sourceOf = (name: string) => runtime.sources().get(name)
    const dialect = (name: string) => dialectOf(sourceOf(name))
    const found = matchRollup(model, query, context, dialect)
    const { rollup: id, timezone } = found
    // Of rollups end to end, the first answers, or the source.
    const needed = found.isJoin ? found.parts : found.parts.slice(0, 1)
    if (id === null || needed.length === 0) return { id: null, miss: missOf(found) }
    const { accountId, deploymentId, rollups } = runtime
    const place = { accountId, deploymentId, sourceOf }
    const parts = needed.map(part => ({ definition: defineRollup(model, part.id, timezone, place), range: part.range }))
    const isOfZone = parts.some(
      ({ definition: { id: part, hash } }) => hash !== defineRollup(model, part, 'UTC', place).hash,
    )
    if (!rollups.timezones.includes(timezone) && isOfZone) {
      const known = rollups.timezones.join(', ')
      return {
        id,
        miss: `rollups are built for ${known}, and the query is in ${timezone}; CUBEJS_SCHEDULED_REFRESH_TIMEZONES lists the zones`,
      }
    }
    return {
      id,
      deploymentId,
      dataSource: dataSourceOf(model, parts[0]?.definition.id ?? id),
      parts,
      read: ([tables = [], ...joined]) =>
        compileRollupRead(model, query, context, id, { tables, joined, dataSource: 'rollups' }, 'duckdb', dialect),
    }
  } catch (error) {
    if (error instanceof QueryError || error instanceof QueryServiceError) return { id: null, miss: error.message }
    throw error
  }
}

const dataSourceOf = (model: Model, { cube }: RollupId): string =>
  model.cubes.find(({ name }) => name === cube)?.dataSource ?? 'default'

function missOf({ considered }: FoundRollup): string {
  if (considered.length === 0) return 'the cubes of the query have no pre-aggregation'
  return considered.flatMap(({ id, miss }) => (miss ? [`${id.cube}.${id.name}: ${miss.reason}`] : [])).join('; ')
}
