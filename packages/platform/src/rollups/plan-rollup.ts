import { QueryServiceError } from '@hedron/query'
import {
  type CompiledQuery,
  compileKeptRead,
  compileRefreshKeys,
  compileRollupRead,
  type FoundPart,
  type FoundRollup,
  type Model,
  matchRollup,
  type NormalizedQuery,
  type QueryContext,
  QueryError,
  type RollupId,
  type RollupPlace,
  type RollupSection,
  type RollupTable,
} from '@hedron/semantic'
import { once } from '../once.ts'
import type { DeploymentRuntime } from '../queries/deployment-runtime.ts'
import { dialectOf } from '../queries/dialect-of.ts'
import { refreshOf } from '../queries/refresh-of.ts'
import { defineRollup, hasRollups, type RollupDefinition } from './definition.ts'

/** The rollup that a query would be answered from, were its tables there; or why none would do. */
export type PlannedRollup = FittingRollup | { readonly id: RollupId | null; readonly miss: string }

export interface FittingRollup {
  readonly id: RollupId
  readonly deploymentId: number
  /** Of the rows that its measures are of. */
  readonly dataSource: string
  /** Rollups of whose tables it is made, and which of their partitions are needed: several where it joins them, they follow each other, or rows of several cubes are kept. */
  readonly parts: readonly PlannedPart[]
  /** The query over its tables. */
  readonly read: (tables: readonly (readonly RollupTable[])[]) => CompiledQuery
  /** Where the parts follow each other in time. */
  readonly following: FollowingParts | null
}

export interface PlannedPart {
  readonly definition: RollupDefinition
  readonly range: FoundPart['range']
}

/** How a `rollup_lambda` is read. */
export interface FollowingParts {
  /** What the source adds that is newer than its parts; null: nothing. */
  readonly newest: { readonly definition: RollupDefinition; readonly freshMs: (now: Date) => number } | null
  readonly read: (sections: readonly RollupSection[]) => CompiledQuery
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
    if (id === null || found.parts.length === 0) return { id: null, miss: missOf(found) }
    const { accountId, deploymentId, rollups } = runtime
    const place = { accountId, deploymentId, sourceOf }
    const parts = found.parts.map(part => ({
      definition: defineRollup(model, part.id, timezone, place),
      range: part.range,
    }))
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
    const read = (tables: Omit<RollupPlace, 'dataSource'>) =>
      compileRollupRead(model, query, context, id, { ...tables, dataSource: 'rollups' }, 'duckdb', dialect)
    const newest = () => {
      const definition = defineRollup(model, id, timezone, place)
      const keys = once(() => compileRefreshKeys(model, definition.cubes, query, context, definition.dialect))
      return { definition, freshMs: (now: Date) => refreshOf(keys(), now).everyMs }
    }
    if (found.kind === 'original_sql') {
      const cubes = parts.map(({ definition }) => definition.id.cube)
      const kept = (tables: readonly (readonly RollupTable[])[]) =>
        new Map(cubes.map((cube, position) => [cube, tables[position] ?? []]))
      const readRows: FittingRollup['read'] = tables => compileKeptRead(model, query, context, kept(tables))
      return { id, deploymentId, dataSource: dataSourceOf(model, id), parts, read: readRows, following: null }
    }
    const isFollowing = found.kind === 'rollup_lambda' && (parts.length > 1 || found.includesSource)
    return {
      id,
      deploymentId,
      dataSource: dataSourceOf(model, parts[0]?.definition.id ?? id),
      parts,
      read: ([tables = [], ...joined]) => read({ tables, joined }),
      following: isFollowing
        ? { newest: found.includesSource ? newest() : null, read: sections => read({ tables: [], sections }) }
        : null,
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
