import type { QueryResult } from '@hedron/query'
import { type CompiledQuery, writeRows } from '@hedron/semantic'
import type { RollupAnswer } from '../../rollups/answer-from-rollup.ts'
import { isThere, type Soon, whenThere } from '../../soon.ts'
import { requireScope } from '../authenticate-data.ts'
import { completenessOf, withinLimit } from '../completeness.ts'
import { type DataCaller, isDeveloping } from '../data-caller.ts'
import { DataError, isContinueWait } from '../data-error.ts'
import { poolName } from '../deployment-runtime.ts'
import { ownerOf } from '../owner-of.ts'
import { pivotQuery } from '../pivot-query.ts'
import { createOncePerRows, joinJson, type RawJson } from '../raw-json.ts'
import { refreshKeyValues } from '../refresh-key-values.ts'
import { refreshOf } from '../refresh-of.ts'
import { ResultsTogether } from '../results-together.ts'
import {
  describeUsed,
  findRollupAnswer,
  isFaultOfTables,
  refreshOfTables,
  tablesRefreshKeyValues,
} from '../rollup-answer.ts'
import { createRun, sourceOf } from '../run-statement.ts'
import type { Planned, Understood } from '../understand.ts'
import type { DataContext, OperationNeeds } from './operation-needs.ts'

/** The answer to one query of a request. */
interface Answer {
  readonly slow: boolean
  readonly complete: boolean
  readonly answer: RawJson
}

/** Who asks, and what else he needs at the same time. */
interface Asking {
  readonly context: DataContext
  readonly owner: string
  readonly together: ResultsTogether
}

/** Answers queries with rows (contract/behaviour/query.md section 5). */
export function createLoad(need: OperationNeeds) {
  const { effects, understand, continueWaitMs } = need
  const run = createRun(need)
  const oncePerRows = createOncePerRows<Answer>()

  return (caller: DataCaller, parameters: unknown, context: DataContext): Soon<RawJson> => {
    requireScope(caller, 'data')
    return whenThere(understand(caller, parameters), understood => answerAll(understood, context))
  }

  function answerAll(understood: Understood, context: DataContext): Soon<RawJson> {
    const { caller, planned, isMulti } = understood
    const queryType = planned[0]?.query.queryType
    if (queryType !== 'regularQuery' && !isMulti) {
      throw new DataError(400, `'${queryType}' query type is not supported by the client.Please update the client.`)
    }
    const owner = ownerOf(caller)
    const together = new ResultsTogether(need.queryService, context)
    const asking = { context, owner, together }
    const [only] = planned
    const found = only === undefined || isMulti ? null : answer(understood, only, asking)
    if (found && isThere(found)) return finish(understood, [found], context)
    const toCome = found ? [found] : planned.map(async each => answer(understood, each, asking))
    return Promise.all(toCome).then(
      answers => finish(understood, answers, context),
      (error: unknown) => {
        if (isContinueWait(error)) together.putBack()
        else together.leave()
        throw error
      },
    )
  }

  function finish({ caller, planned, isMulti }: Understood, answers: readonly Answer[], context: DataContext): RawJson {
    const results = isDeveloping(caller) ? answers.map(each => withRequestId(each, context)) : answers
    const [first] = results
    if (first === undefined) throw new Error('a request without queries was understood')
    if (!isMulti) return first.answer
    const head = {
      queryType: planned[0]?.query.queryType,
      complete: results.every(result => result.complete),
      slowQuery: results.some(result => result.slow),
      pivotQuery: pivotQuery(planned.map(each => each.query)),
    }
    return joinJson('{}', head, 'results', `[${results.map(result => result.answer.text).join(',')}]`)
  }

  function answer(understood: Understood, planned: Planned, asking: Asking): Soon<Answer> {
    const kept = findRollupAnswer(need.rollups, understood, planned, continueWaitMs)
    return whenThere(kept, found => answerWith(understood, planned, asking, found))
  }

  function answerWith(
    understood: Understood,
    planned: Planned,
    asking: Asking,
    kept: RollupAnswer | null,
  ): Soon<Answer> {
    const asked = answerFrom(understood, planned, asking, kept)
    if (!kept || isThere(asked)) return asked
    return asked.catch(error => {
      if (!isFaultOfTables(error)) throw error
      need.rollups.distrust(kept)
      if (understood.runtime.rollups.isOnly || planned.needsRollup) throw error
      return answerFrom(understood, planned, asking, null)
    })
  }

  function answerFrom(
    { runtime, cache, caller }: Understood,
    planned: Planned,
    { context, owner, together }: Asking,
    kept: RollupAnswer | null,
  ): Soon<Answer> {
    const { query, described, shapeKey } = planned
    const compiled = kept?.compiled ?? planned.compiled
    const { dataSource } = planned.compiled
    const { type: dbType } = sourceOf(runtime, dataSource)
    const source = kept?.source ?? sourceOf(runtime, dataSource)
    const request = {
      pool: poolName(runtime.deploymentId),
      source,
      cache,
      refresh: kept ? refreshOfTables : refreshOf(compiled.refreshKeys, effects.now()),
      waitMs: continueWaitMs,
      requestId: context.requestId,
      owner,
      comment: `hedron ${context.requestId}`,
    }
    const rowsOf = (statement: { sql: string; parameters: CompiledQuery['parameters'] }, maximumRows: number) => {
      const asked = { ...request, sql: statement.sql, parameters: statement.parameters, maximumRows }
      const found = run(asked, together)
      return isThere(found) ? found : together.take(asked, found)
    }
    const rowsToCome = rowsOf(compiled.oneMore, query.limit + 1)
    const totalToCome = compiled.total === null ? null : rowsOf(compiled.total, 1)
    const write = (result: QueryResult, total: QueryResult | null): Answer => {
      const { rows, slow } = result
      const refreshedAt = (kept?.builtAt ?? result.lastRefreshTime).getTime()
      const isDeveloped = isDeveloping(caller)
      const { refreshAnswer } = result
      const inputs = [described, shapeKey, refreshedAt, slow, total?.rows, dbType, kept, isDeveloped, refreshAnswer]
      return oncePerRows(rows, inputs, () => {
        const head = {
          lastRefreshTime: new Date(refreshedAt).toISOString(),
          dataSource,
          dbType,
          extDbType: source.type,
          external: kept !== null,
          slowQuery: slow,
          total: total === null ? null : Number(total.rows[0]?.[0] ?? 0),
          ...completenessOf(rows.length, query),
          ...(isDeveloped ? developed(planned, kept, result, new Date(refreshedAt)) : {}),
        }
        const data = writeRows(compiled.columns, withinLimit(rows, query), query.responseFormat, query)
        return { slow, complete: head.complete, answer: joinJson(described, head, 'data', data) }
      })
    }
    // What is in the cache is there at once; waiting for it would cost more than the rest.
    if (isThere(rowsToCome) && isThere(totalToCome)) return write(rowsToCome, totalToCome)
    return Promise.all([rowsToCome, totalToCome]).then(([result, total]) => write(result, total))
  }
}

/** What answers on a branch say beside: how they were found, for whoever works on the model. */
const developed = (
  { isOpen, rollupNeeds }: Planned,
  kept: RollupAnswer | null,
  result: QueryResult,
  refreshedAt: Date,
) => ({
  ...(kept ? { usedPreAggregations: describeUsed(kept) } : {}),
  refreshKeyValues: kept ? tablesRefreshKeyValues(kept) : refreshKeyValues(result, refreshedAt, isOpen),
  transformedQuery: rollupNeeds(),
})

/** Asked of a branch, an answer says more of itself (contract/behaviour/query.md section 5). */
function withRequestId({ answer, ...rest }: Answer, { requestId }: DataContext): Answer {
  return { ...rest, answer: { text: `${answer.text.slice(0, -1)},"requestId":${JSON.stringify(requestId)}}` } }
}
