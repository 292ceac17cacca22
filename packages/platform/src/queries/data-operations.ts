import { createHash } from 'node:crypto'
import { ContinueWait, type QueryResult, type QueryService, QueryServiceError } from '@hedron/query'
import {
  annotateQuery,
  type CompiledQuery,
  compileQuery,
  type DialectName,
  describeModel,
  describeViewGroups,
  dialectNames,
  expandQueries,
  type MetaCube,
  type Model,
  type NormalizedQuery,
  type QueryContext,
  QueryError,
  shapeRows,
} from '@hedron/semantic'
import type { Effects } from '../effects.ts'
import { requireScope } from './authenticate-data.ts'
import { type BranchModel, type FindBranchModel, requireModel } from './branch-models.ts'
import type { DataCaller } from './data-caller.ts'
import { continueWait, DataError } from './data-error.ts'
import { type DeploymentRuntime, type DeploymentRuntimes, poolName } from './deployment-runtime.ts'
import { pivotQuery } from './pivot-query.ts'
import { createLastPlan, createPlanMemory } from './plan-memory.ts'
import { joinJson, type RawJson, rowsJson } from './raw-json.ts'
import { readQueryParameters } from './read-query.ts'
import { refreshOf } from './refresh-of.ts'

interface DataNeeds {
  readonly effects: Effects
  readonly runtimes: DeploymentRuntimes
  readonly findBranchModel: FindBranchModel
  readonly queryService: QueryService
  /** How long a request waits for a slow query before it is told to ask again, in milliseconds. */
  readonly continueWaitMs: number
}

export interface DataContext {
  readonly requestId: string
  readonly signal: AbortSignal
}

/** Everything of the data API (contract/behaviour/query.md) behind its addresses; every function can throw `DataError`. */
export interface DataOperations {
  load(caller: DataCaller, parameters: unknown, context: DataContext): Promise<RawJson>
  sql(caller: DataCaller, parameters: unknown): Promise<unknown>
  dryRun(caller: DataCaller, parameters: unknown): Promise<unknown>
  meta(caller: DataCaller, parameters: { onlyViews: boolean }): Promise<unknown>
  /** Whether the deployment's default data source answers. */
  ready(deploymentId: number): Promise<boolean>
}

/** One query of a request, planned. */
interface Planned {
  readonly query: NormalizedQuery
  readonly compiled: CompiledQuery
  /** Query and annotation as JSON, which every answer carries. */
  readonly described: string
  readonly shapeKey: string
}

/** A request understood: its queries, and what they are asked of. */
interface Understood {
  readonly runtime: DeploymentRuntime
  readonly planned: readonly Planned[]
  readonly cache: 'stale-if-slow' | 'stale-while-revalidate' | 'must-revalidate' | 'no-cache'
  readonly isMulti: boolean
}

export function createDataOperations(need: DataNeeds): DataOperations {
  const { effects, runtimes, queryService } = need
  const remember = createPlanMemory<readonly Planned[]>()
  const lastPlan = createLastPlan<readonly Planned[]>()

  return {
    async load(caller, parameters, context) {
      requireScope(caller, 'data')
      const understood = await understand(caller, parameters)
      const { planned, isMulti } = understood
      const queryType = planned[0]?.query.queryType
      if (queryType !== 'regularQuery' && !isMulti) {
        throw new DataError(400, `'${queryType}' query type is not supported by the client.Please update the client.`)
      }
      const results = await Promise.all(planned.map(each => answer(understood, each, context)))
      const [first] = results
      if (first === undefined) throw new Error('a request without queries was understood')
      if (!isMulti) return first.answer
      const head = {
        queryType,
        slowQuery: results.some(result => result.slow),
        pivotQuery: pivotQuery(planned.map(each => each.query)),
      }
      return joinJson('{}', head, 'results', `[${results.map(result => result.answer.text).join(',')}]`)
    },

    async sql(caller, parameters) {
      requireScope(caller, 'sql')
      const { planned } = await understand(caller, parameters)
      const all = planned.map(({ query, compiled }) => ({
        sql: {
          status: 'ok',
          sql: [compiled.sql, compiled.parameters],
          order: orderOf(query),
          aliasNameToMember: Object.fromEntries(compiled.columns.map(column => [column.alias, column.member])),
          memberNames: [...new Set(compiled.columns.map(column => column.member))],
          dataSource: compiled.dataSource,
          external: false,
          preAggregations: [],
          cacheKeyQueries: [],
          canUseTransformedQuery: {},
        },
        dataSource: compiled.dataSource,
      }))
      return planned[0]?.query.queryType === 'regularQuery' ? all[0] : all
    },

    async dryRun(caller, parameters) {
      requireScope(caller, 'data')
      const { planned } = await understand(caller, parameters)
      return {
        queryType: planned[0]?.query.queryType,
        normalizedQueries: planned.map(each => each.query),
        queryOrder: planned.map(each => orderOf(each.query)),
        transformedQueries: planned.map(() => ({})),
        pivotQuery: pivotQuery(planned.map(each => each.query)),
      }
    },

    async meta(caller, { onlyViews }) {
      requireScope(caller, 'meta')
      const branch = await findBranch(caller)
      const model = requireModel(branch)
      const { nestedFoldersDelimiter } = await findRuntime(caller)
      const cubes = describeModel(model, contextOf(caller, effects.now()), { nestedFoldersDelimiter })
      const viewGroups = describeViewGroups(model, cubes)
      return {
        ...(viewGroups.length > 0 ? { viewGroups } : {}),
        cubes: onlyViews ? cubes.filter(cube => cube.type === 'view') : cubes,
        compilerId: compilerId(branch.compiled?.tree ?? '', model, cubes),
      }
    },

    async ready(deploymentId) {
      const runtime = await runtimes.find(deploymentId)
      if (!runtime) return false
      try {
        await queryService.testConnection(poolOf(runtime), runtime.sources().get('default'))
        return true
      } catch (error) {
        if (error instanceof QueryServiceError) return false
        throw error
      }
    },
  }

  async function findBranch(caller: DataCaller): Promise<BranchModel> {
    const branch = await need.findBranchModel(caller.accountId, caller.deploymentId, caller.branchName)
    if (!branch) throw new DataError(404, `There is no branch ${JSON.stringify(caller.branchName)}`)
    return branch
  }

  async function findRuntime({ deploymentId }: DataCaller): Promise<DeploymentRuntime> {
    const runtime = await runtimes.find(deploymentId)
    if (!runtime) throw new DataError(404, `There is no deployment ${deploymentId}`)
    return runtime
  }

  async function understand(caller: DataCaller, raw: unknown): Promise<Understood> {
    const parameters = readQueryParameters(raw)
    const runtime = await findRuntime(caller)
    const model = requireModel(await findBranch(caller))
    try {
      // Ranges that end now are cut to the second, so that within one they are the same query.
      const second = Math.floor(effects.now().getTime() / 1000)
      const plan = () => planAll(model, parameters, caller, runtime, second)
      const planned = lastPlan(caller, parameters, [model, runtime, second], plan)
      const isMulti = parameters.queryType === 'multi'
      return { runtime, planned, isMulti, cache: parameters.cache ?? planned[0]?.query.cacheMode ?? 'stale-if-slow' }
    } catch (error) {
      throw toDataError(error)
    }
  }

  function planAll(
    model: Model,
    { query: input, queryText }: ReturnType<typeof readQueryParameters>,
    caller: DataCaller,
    runtime: DeploymentRuntime,
    second: number,
  ): readonly Planned[] {
    const { securityContext, groups, userAttributes } = caller
    const { defaultTimezone, defaultLimit, maximumLimit, defaultMasks } = runtime
    // Until models over several data sources are planned, a query is of the default one.
    const dialect = dialectOf(runtime.sources().get('default').type)
    const who = [securityContext, groups, userAttributes]
    const key = JSON.stringify([
      queryText,
      second,
      who,
      dialect,
      defaultTimezone,
      defaultLimit,
      maximumLimit,
      defaultMasks,
    ])
    return remember(model, key, () => {
      const now = new Date(second * 1000)
      const context = { ...contextOf(caller, now), defaultMasks }
      const { queries } = expandQueries(model, input, { now, defaultTimezone, defaultLimit, maximumLimit, context })
      return queries.map(query => {
        const compiled = compileQuery(model, query, context, dialect)
        const described = JSON.stringify({ query, annotation: annotateQuery(model, query, context) })
        return { query, compiled, described, shapeKey: shapeKeyOf(query, compiled) }
      })
    })
  }

  async function answer(understood: Understood, planned: Planned, context: DataContext) {
    const { runtime, cache } = understood
    const { query, compiled, described, shapeKey } = planned
    const source = sourceOf(runtime, compiled)
    const request = {
      pool: poolOf(runtime),
      source,
      cache,
      refresh: refreshOf(compiled.refreshKeys, effects.now()),
      waitMs: need.continueWaitMs,
      requestId: context.requestId,
      comment: `hedron ${context.requestId}`,
    }
    const rowsOf = (statement: { sql: string; parameters: CompiledQuery['parameters'] }, maximumRows: number) =>
      run({ ...request, sql: statement.sql, parameters: statement.parameters, maximumRows }, context.signal)
    const [result, total] = await Promise.all([
      rowsOf(compiled, query.limit),
      compiled.total === null ? null : rowsOf(compiled.total, 1),
    ])
    const head = {
      lastRefreshTime: result.lastRefreshTime.toISOString(),
      dataSource: compiled.dataSource,
      dbType: source.type,
      extDbType: source.type,
      external: false,
      slowQuery: result.slow,
      total: total === null ? null : Number(total.rows[0]?.[0] ?? 0),
    }
    const shape = () => shapeRows(compiled.columns, result.rows, query.responseFormat, query)
    const rows = rowsJson(result.rows, shapeKey, shape)
    return { slow: result.slow, answer: joinJson(described, head, 'data', rows) }
  }

  async function run(request: Parameters<QueryService['run']>[0], signal: AbortSignal): Promise<QueryResult> {
    try {
      return await queryService.run(request, signal)
    } catch (error) {
      throw toDataError(error)
    }
  }
}

/** What clients know a description by: under policies, callers have different ones of one tree. */
function compilerId(tree: string, model: Model, shown: readonly MetaCube[]): string {
  if ([...model.cubes, ...model.views].every(({ accessPolicies }) => accessPolicies.length === 0)) return tree
  const names = shown.flatMap(({ measures, dimensions, segments }) => [...measures, ...dimensions, ...segments])
  return createHash('sha256')
    .update(JSON.stringify([tree, names.map(({ name }) => name)]))
    .digest('hex')
}

/** The rights of a caller, without which nothing of a model can be asked or described. */
const contextOf = ({ securityContext, groups, userAttributes }: DataCaller, now: Date): QueryContext => ({
  securityContext,
  groups,
  userAttributes,
  now,
})

const poolOf = (runtime: DeploymentRuntime): string => poolName(runtime.deploymentId)

function sourceOf(runtime: DeploymentRuntime, { dataSource }: CompiledQuery) {
  try {
    return runtime.sources().get(dataSource)
  } catch (error) {
    throw toDataError(error)
  }
}

/** Everything beside the rows themselves that decides what `shapeRows` makes of them. */
function shapeKeyOf(query: NormalizedQuery, { columns }: CompiledQuery): string {
  const compared = query.queryType === 'compareDateRangeQuery' ? query.timeDimensions : []
  return JSON.stringify([
    query.responseFormat,
    query.queryType,
    compared,
    columns.map(({ alias, member }) => [alias, member]),
  ])
}

/** Types of data sources that speak as another one does have no dialect of their own. */
const dialectOf = (type: string): DialectName => dialectNames.find(name => name === type) ?? 'postgres'

const orderOf = (query: NormalizedQuery) =>
  Object.fromEntries(query.order.map(({ id, desc }) => [id, desc ? 'desc' : 'asc']))

/** What can be told to whoever asked, as the data API tells it; any other error is a fault of ours. */
function toDataError(error: unknown): unknown {
  if (error instanceof ContinueWait) return continueWait()
  if (error instanceof QueryServiceError) return new DataError(400, error.message, { code: error.code })
  if (!(error instanceof QueryError)) return error
  return error.kind === 'user'
    ? new DataError(400, error.message, { type: 'UserError' })
    : new DataError(400, error.message)
}
