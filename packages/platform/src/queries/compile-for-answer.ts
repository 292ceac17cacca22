import {
  type CompiledQuery,
  compileQuery,
  type Model,
  type NormalizedQuery,
  type QueryContext,
  QueryError,
} from '@hedron/semantic'
import { once } from '../once.ts'
import { type PlannedRollup, planRollup } from '../rollups/plan-rollup.ts'
import { DataError } from './data-error.ts'
import type { DeploymentRuntime } from './deployment-runtime.ts'
import { dialectOf } from './dialect-of.ts'

/** A query as whatever answers it runs it. */
interface CompiledForAnswer {
  /** At the source; where no source has all that it needs, over tables of a `rollup_join`. */
  readonly compiled: CompiledQuery
  readonly rollup: () => PlannedRollup | null
  /** Whether no source can answer it. */
  readonly needsRollup: boolean
}

/**
 * Compiles a query for the one data source that has all that it asks for. A query across data sources is answered from a
 * `rollup_join` or not at all.
 *
 * @throws {QueryError} when it has no answer, {DataError} when a `rollup_join` of the model could have been one and is not
 */
export function compileForAnswer(asked: {
  readonly model: Model
  readonly query: NormalizedQuery
  readonly context: QueryContext
  readonly runtime: DeploymentRuntime
}): CompiledForAnswer {
  const { model, query, context, runtime } = asked
  const rollup = once(() => planRollup(asked))
  try {
    const compiled = compileQuery(model, query, context, name => dialectOf(runtime.sources().get(name)))
    return { compiled, rollup, needsRollup: false }
  } catch (error) {
    if (!(error instanceof QueryError) || error.code !== 'data_sources' || !hasJoins(model)) throw error
    const planned = rollup()
    if (!planned || 'miss' in planned) throw new DataError(400, `${error.message} ${planned?.miss ?? ''}`)
    const names = planned.parts.map(({ definition }) => [{ schema: null, table: definition.name.replace('.', '_') }])
    return { compiled: { ...planned.read(names), dataSource: planned.dataSource }, rollup, needsRollup: true }
  }
}

const hasJoins = ({ cubes }: Model) =>
  cubes.some(({ preAggregations }) => preAggregations.some(({ type }) => type === 'rollup_join'))
