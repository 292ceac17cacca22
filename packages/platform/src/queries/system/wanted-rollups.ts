import type { Model } from '@hedron/semantic'
import type { RollupDefinition } from '../../rollups/definition.ts'
import { requireModel } from '../branch-models.ts'
import { DataError } from '../data-error.ts'
import type { DeploymentRuntime } from '../deployment-runtime.ts'
import type { DataNeeds } from '../operations/operation-needs.ts'
import { requireRollupZones, selectRollups } from '../select-rollups.ts'
import type { SystemCaller } from './system-caller.ts'
import type { RollupQuery, RollupsQuery } from './system-query.ts'

/** A pre-aggregation that is asked for, and what is built of it: nothing where it only puts others together. */
export interface WantedRollup {
  /** `cube.name` */
  readonly id: string
  readonly asked: RollupQuery
  readonly definitions: readonly RollupDefinition[]
}

/** What the operations of `/cubejs-system` read first. */
export interface SystemModel {
  readonly model: Model
  readonly runtime: DeploymentRuntime
}

/** @throws {DataError} where there is no such branch, or its model does not compile */
export async function findSystemModel(
  { findBranchModel, runtimes }: Pick<DataNeeds, 'findBranchModel' | 'runtimes'>,
  { accountId, deploymentId, branchName }: SystemCaller,
): Promise<SystemModel> {
  const [branch, runtime] = await Promise.all([
    findBranchModel(accountId, deploymentId, branchName),
    runtimes.find(deploymentId),
  ])
  if (!runtime) throw new DataError(404, `There is no deployment ${deploymentId}`)
  if (!branch) throw new DataError(404, `There is no branch ${JSON.stringify(branchName)}`)
  return { model: requireModel(branch), runtime }
}

/** The time zones of a query: those that it names, else all for which rollups are built. @throws {DataError} 400 for another zone */
export function zonesOf({ timezone, timezones }: RollupsQuery, runtime: DeploymentRuntime): readonly string[] {
  const zones = timezones ?? (timezone === undefined ? runtime.rollups.timezones : [timezone])
  requireRollupZones(runtime, zones, 'Invalid query format')
  return zones
}

/**
 * The pre-aggregations that a query names, in its order; all, where it names none.
 *
 * @throws {DataError} 400 for one that the model does not have
 */
export function wantedRollups(
  { model, runtime }: SystemModel,
  asked: readonly RollupQuery[] | undefined,
  timezones: readonly string[],
): readonly WantedRollup[] {
  const ids = model.cubes.flatMap(({ name: cube, preAggregations }) =>
    preAggregations.map(({ name }) => `${cube}.${name}`),
  )
  const queries = asked ?? ids.map(id => ({ id }))
  const unknown = queries.find(({ id }) => !ids.includes(id))
  if (unknown) {
    throw new DataError(
      400,
      `Invalid query format: the model has no pre-aggregation "${unknown.id}". It has ${ids.join(', ')}.`,
    )
  }
  const wanted = new Set(queries.map(({ id }) => id))
  const definitions = selectRollups(model, runtime, timezones, ({ id }) => wanted.has(`${id.cube}.${id.name}`))
  return queries.map(query => ({
    id: query.id,
    asked: query,
    definitions: definitions.filter(({ name }) => name === query.id),
  }))
}
