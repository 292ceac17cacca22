import {
  annotateQuery,
  type CompiledQuery,
  describeRollupNeeds,
  type Explanation,
  expandQueries,
  explainQuery,
  type Model,
  type NormalizedQuery,
  type QueryContext,
  QueryError,
  type RollupNeeds,
} from '@hedron/semantic'
import type { Effects } from '../effects.ts'
import { once } from '../once.ts'
import type { PlannedRollup } from '../rollups/plan-rollup.ts'
import { type Soon, whenThere } from '../soon.ts'
import { type BranchModel, type FindBranchModel, requireModel } from './branch-models.ts'
import { compileForAnswer } from './compile-for-answer.ts'
import type { DataCaller } from './data-caller.ts'
import { DataError } from './data-error.ts'
import type { DeploymentRuntime, DeploymentRuntimes } from './deployment-runtime.ts'
import { dialectOf } from './dialect-of.ts'
import { isOpenModel } from './open-model.ts'
import { createLastPlan, createPlanMemory } from './plan-memory.ts'
import { beginPlanning } from './planning-deadline.ts'
import { type ReadQuery, readQueryParameters } from './read-query.ts'
import { toDataError } from './to-data-error.ts'
import { waitForBuild } from './wait-for-build.ts'

/** One query of a request, planned. */
export interface Planned {
  readonly query: NormalizedQuery
  readonly compiled: CompiledQuery
  /** Query and annotation as JSON, which every answer carries. */
  readonly described: string
  readonly explain: () => Explanation
  /** Which rollup of the model answers it; null where the model has none. */
  readonly rollup: () => PlannedRollup | null
  /** Whether no source can answer it, as it goes across data sources; `compiled` names tables of rollups then. */
  readonly needsRollup: boolean
  /** What a rollup would have to hold for it; null where it can't be said. */
  readonly rollupNeeds: () => RollupNeeds | null
  /** Whether no policy of the model keeps anything from anybody. */
  readonly isOpen: boolean
  readonly shapeKey: string
}

/** A request understood: its queries, and what they are asked of. */
export interface Understood {
  readonly caller: DataCaller
  readonly runtime: DeploymentRuntime
  readonly planned: readonly Planned[]
  readonly cache: 'stale-if-slow' | 'stale-while-revalidate' | 'must-revalidate' | 'no-cache'
  readonly isMulti: boolean
}

interface UnderstandNeeds {
  readonly effects: Effects
  readonly runtimes: DeploymentRuntimes
  readonly findBranchModel: FindBranchModel
  readonly continueWaitMs: number
}

/** Finds what a caller asks of, and reads what he asks; every function can throw `DataError`. */
export interface Understand {
  /** At once where deployment and branch are remembered. */
  understand(caller: DataCaller, raw: unknown): Soon<Understood>
  findBranch(caller: DataCaller): Soon<BranchModel>
  findRuntime(caller: DataCaller): Soon<DeploymentRuntime>
}

/** Reads requests of callers and plans their queries; what was planned before is remembered. */
export function createUnderstand(need: UnderstandNeeds): Understand {
  const { effects, runtimes, findBranchModel, continueWaitMs } = need
  const remember = createPlanMemory<readonly Planned[]>()
  const lastPlan = createLastPlan<readonly Planned[]>()

  return { understand, findBranch, findRuntime }

  function findBranch(caller: DataCaller): Soon<BranchModel> {
    const { accountId, deploymentId, branchName } = caller
    const look = () =>
      whenThere(findBranchModel(accountId, deploymentId, branchName), branch => {
        if (!branch) throw new DataError(404, `There is no ${whatIsMissing(deploymentId, branchName)}`)
        return branch
      })
    return waitForBuild(look, continueWaitMs)
  }

  function findRuntime({ deploymentId }: DataCaller): Soon<DeploymentRuntime> {
    return whenThere(runtimes.find(deploymentId), runtime => {
      if (!runtime) throw new DataError(404, `There is no deployment ${deploymentId}`)
      return runtime
    })
  }

  function understand(caller: DataCaller, raw: unknown): Soon<Understood> {
    const parameters = readQueryParameters(raw)
    return whenThere(findRuntime(caller), runtime =>
      whenThere(findBranch(caller), branch => understandOf(caller, parameters, runtime, branch)),
    )
  }

  function understandOf(
    caller: DataCaller,
    parameters: ReadQuery,
    runtime: DeploymentRuntime,
    branch: BranchModel,
  ): Understood {
    const model = requireModel(branch)
    try {
      // Ranges that end now are cut to the second, so that within one they are the same query.
      const second = Math.floor(effects.now().getTime() / 1000)
      const plan = () => planAll(model, parameters, caller, runtime, second)
      const planned = lastPlan(caller, parameters, [model, runtime, second], plan)
      const isMulti = parameters.queryType === 'multi'
      return {
        caller,
        runtime,
        planned,
        isMulti,
        cache: parameters.cache ?? planned[0]?.query.cacheMode ?? 'stale-if-slow',
      }
    } catch (error) {
      throw toDataError(error)
    }
  }

  function planAll(
    model: Model,
    { query: input, queryText }: ReadQuery,
    caller: DataCaller,
    runtime: DeploymentRuntime,
    second: number,
  ): readonly Planned[] {
    const { securityContext, groups, userAttributes } = caller
    const { defaultTimezone, defaultLimit, maximumLimit, defaultMasks, allowUngroupedWithoutPrimaryKey } = runtime
    const sources = runtime.sources()
    const types = sources.names.map(name => sources.get(name).type)
    const who = [securityContext, groups, userAttributes]
    const key = JSON.stringify([
      queryText,
      who,
      sources.names,
      types,
      defaultTimezone,
      defaultLimit,
      maximumLimit,
      defaultMasks,
      allowUngroupedWithoutPrimaryKey,
    ])
    return remember(model, second, key, () => {
      const checkTime = beginPlanning(effects)
      const now = new Date(second * 1000)
      const context = { ...contextOf(caller, now), defaultMasks, allowUngroupedWithoutPrimaryKey }
      const { queries } = expandQueries(model, input, { now, defaultTimezone, defaultLimit, maximumLimit, context })
      return queries.map(query => {
        checkTime()
        const { compiled, rollup, needsRollup } = compileForAnswer({ model, query, context, runtime })
        // Never changed, so that whoever sees the same ones knows the same question.
        Object.freeze(compiled.oneMore.parameters)
        const dialect = (name: string) => dialectOf(sources.get(name))
        const explain = () => explainQuery(model, query, context, dialect)
        const rollupNeeds = once(() => rollupNeedsOf(model, query, context))
        const isOpen = isOpenModel(model)
        const described = JSON.stringify({ query, annotation: annotateQuery(model, query, context) })
        const shapeKey = shapeKeyOf(query, compiled)
        return { query, compiled, described, explain, rollup, needsRollup, rollupNeeds, isOpen, shapeKey }
      })
    })
  }
}

/** A query can have an answer though its members stand in no one join tree. */
function rollupNeedsOf(model: Model, query: NormalizedQuery, context: QueryContext): RollupNeeds | null {
  try {
    return describeRollupNeeds(model, query, context)
  } catch (error) {
    if (error instanceof QueryError) return null
    throw error
  }
}

/** Only a deployment that was deleted has no production. */
const whatIsMissing = (deploymentId: number, branchName: string | null) =>
  branchName === null ? `deployment ${deploymentId}` : `branch ${JSON.stringify(branchName)}`

/** Who asks, as the semantic engine sees it. */
export const contextOf = ({ securityContext, groups, userAttributes }: DataCaller, now: Date): QueryContext => ({
  securityContext,
  groups,
  userAttributes,
  now,
})

/** Everything beside the rows themselves that decides what `writeRows` makes of them. */
function shapeKeyOf(query: NormalizedQuery, { columns }: CompiledQuery): string {
  const compared = query.queryType === 'compareDateRangeQuery' ? query.timeDimensions : []
  return JSON.stringify([
    query.responseFormat,
    query.limit,
    query.queryType,
    compared,
    columns.map(({ alias, member }) => [alias, member]),
  ])
}
