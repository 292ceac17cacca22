import { QueryServiceError } from '@hedron/query'
import {
  type CompiledQuery,
  compileRollupRead,
  type FoundRollup,
  type Model,
  matchRollup,
  type NormalizedQuery,
  type QueryContext,
  QueryError,
  type RollupFileSet,
  type RollupId,
} from '@hedron/semantic'
import type { DeploymentRuntime } from '../queries/deployment-runtime.ts'
import { dialectOf } from '../queries/dialect-of.ts'
import { defineRollup, hasRollups, type RollupDefinition } from './definition.ts'

/** The rollup that a query would be answered from, were its tables there; or why none would do. */
export type PlannedRollup =
  | {
      readonly id: RollupId
      readonly definition: RollupDefinition
      readonly range: FoundRollup['range']
      /** The query over its tables. */
      readonly read: (tables: readonly RollupFileSet[]) => CompiledQuery
    }
  | { readonly id: RollupId | null; readonly miss: string }

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
    const found = matchRollup(model, query, context, name => dialectOf(sourceOf(name)))
    const { rollup: id, range, timezone } = found
    const [part] = found.parts
    if (id === null || part === undefined) return { id: null, miss: missOf(found) }
    const { accountId, deploymentId, rollups } = runtime
    const place = { accountId, deploymentId, sourceOf }
    const definition = defineRollup(model, part, timezone, place)
    if (!rollups.timezones.includes(timezone) && definition.hash !== defineRollup(model, part, 'UTC', place).hash) {
      const known = rollups.timezones.join(', ')
      return {
        id,
        miss: `rollups are built for ${known}, and the query is in ${timezone}; CUBEJS_SCHEDULED_REFRESH_TIMEZONES lists the zones`,
      }
    }
    return {
      id,
      definition,
      range,
      read: tables => compileRollupRead(model, query, context, id, { tables, dataSource: 'rollups' }, 'duckdb'),
    }
  } catch (error) {
    if (error instanceof QueryError || error instanceof QueryServiceError) return { id: null, miss: error.message }
    throw error
  }
}

function missOf({ considered }: FoundRollup): string {
  if (considered.length === 0) return 'the cubes of the query have no pre-aggregation'
  return considered.flatMap(({ id, miss }) => (miss ? [`${id.cube}.${id.name}: ${miss.reason}`] : [])).join('; ')
}
