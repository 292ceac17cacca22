import { keepsUsableRows, type Model, type RollupId } from '@hedron/semantic'
import { defineRollup, type RollupDefinition } from '../rollups/definition.ts'
import { DataError } from './data-error.ts'
import type { DeploymentRuntime } from './deployment-runtime.ts'
import { dialectOf } from './dialect-of.ts'
import { toDataError } from './to-data-error.ts'

/** By what pre-aggregations are chosen. */
export interface RollupChoice {
  readonly id: RollupId
  readonly dataSource: string
  readonly isScheduled: boolean
}

/** @throws {DataError} for a zone in which no query would be answered from what is built */
export function requireRollupZones({ rollups }: DeploymentRuntime, timezones: readonly string[], what: string): void {
  const strange = timezones.find(timezone => !rollups.timezones.includes(timezone))
  if (strange === undefined) return
  throw new DataError(
    400,
    `${what}: rollups are built for ${rollups.timezones.join(', ')}, not for "${strange}". Set CUBEJS_SCHEDULED_REFRESH_TIMEZONES.`,
  )
}

/**
 * The pre-aggregations of a model of which tables are built, one for each time zone: those that put others together have none of their
 * own, nor have rows of cubes that can't be kept.
 *
 * @throws {DataError}
 */
export function selectRollups(
  model: Model,
  runtime: DeploymentRuntime,
  timezones: readonly string[],
  isWanted: (rollup: RollupChoice) => boolean,
): RollupDefinition[] {
  const { accountId, deploymentId } = runtime
  const place = { accountId, deploymentId, sourceOf: (name: string) => runtime.sources().get(name) }
  const dialect = (name: string) => dialectOf(place.sourceOf(name))
  try {
    return model.cubes.flatMap(({ name: cube, dataSource, preAggregations }) =>
      preAggregations.flatMap(({ name, type, scheduledRefresh }) => {
        const id = { cube, name }
        if (!isWanted({ id, dataSource, isScheduled: scheduledRefresh })) return []
        const isBuilt = type === 'rollup' || (type === 'original_sql' && keepsUsableRows(model, id, dialect))
        return isBuilt ? timezones.map(timezone => defineRollup(model, id, timezone, place)) : []
      }),
    )
  } catch (error) {
    throw toDataError(error)
  }
}
