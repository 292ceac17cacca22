import { createHash } from 'node:crypto'
import { type QueryResult, type QueryService, QueryServiceError } from '@hedron/query'
import {
  type CompiledQuery,
  describeModel,
  describeViewGroups,
  type MetaCube,
  type Model,
  type NormalizedQuery,
  shapeRows,
} from '@hedron/semantic'
import type { Effects } from '../effects.ts'
import { requireScope } from './authenticate-data.ts'
import { type FindBranchModel, requireModel } from './branch-models.ts'
import type { DataCaller } from './data-caller.ts'
import { DataError } from './data-error.ts'
import { type DeploymentRuntime, type DeploymentRuntimes, poolName } from './deployment-runtime.ts'
import { pivotQuery } from './pivot-query.ts'
import { joinJson, type RawJson, rowsJson } from './raw-json.ts'
import { refreshOf } from './refresh-of.ts'
import { toDataError } from './to-data-error.ts'
import { contextOf, createUnderstand, type Planned, type Understood } from './understand.ts'

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
  /** How each query is answered and why so: Hedron's own, nothing of the field's. */
  explain(caller: DataCaller, parameters: unknown): Promise<unknown>
  meta(caller: DataCaller, parameters: { onlyViews: boolean }): Promise<unknown>
  /** Whether the deployment's default data source answers. */
  ready(deploymentId: number): Promise<boolean>
}

export function createDataOperations(need: DataNeeds): DataOperations {
  const { effects, runtimes, queryService } = need
  const { understand, findBranch, findRuntime } = createUnderstand(need)

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

    async explain(caller, parameters) {
      requireScope(caller, 'data')
      const { planned } = await understand(caller, parameters)
      try {
        return { queryType: planned[0]?.query.queryType, explanations: planned.map(({ explain }) => explain()) }
      } catch (error) {
        throw toDataError(error)
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
const poolOf = (runtime: DeploymentRuntime): string => poolName(runtime.deploymentId)

function sourceOf(runtime: DeploymentRuntime, { dataSource }: CompiledQuery) {
  try {
    return runtime.sources().get(dataSource)
  } catch (error) {
    throw toDataError(error)
  }
}

const orderOf = (query: NormalizedQuery) =>
  Object.fromEntries(query.order.map(({ id, desc }) => [id, desc ? 'desc' : 'asc']))
