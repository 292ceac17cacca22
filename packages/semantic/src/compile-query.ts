import { dialects } from './dialects/dialects.ts'
import { sourceText } from './plan/expand.ts'
import { planQuery } from './plan/plan-query.ts'
import { indexModel } from './resolve/model-index.ts'
import type { CompiledQuery, CompiledRefreshKey, DialectName } from './shapes/compiled.ts'
import type { Model } from './shapes/model.ts'
import type { NormalizedQuery, QueryContext } from './shapes/query.ts'
import { writePlan, writeTotal } from './sql/write-plan.ts'

/**
 * Turns a normalized query into SQL for one database.
 *
 * Reads no clock, file or network: the same model, query and context always give the same text.
 *
 * @throws {QueryError} when the model has no way to answer the query, such as cubes that nothing joins
 */
export function compileQuery(
  model: Model,
  query: NormalizedQuery,
  context: QueryContext,
  dialectName: DialectName,
): CompiledQuery {
  const dialect = dialects[dialectName]
  const plan = planQuery(model, query, context)
  return {
    ...writePlan(plan, dialect),
    columns: plan.columns,
    dataSource: plan.dataSource,
    cubes: plan.cubes,
    refreshKeys: plan.cubes.map(cube => refreshKey(model, cube)),
    total: query.total ? writeTotal(plan, dialect) : null,
  }
}

function refreshKey(model: Model, name: string): CompiledRefreshKey {
  const index = indexModel(model)
  const { refreshKey: key } = index.cube(name)
  if (key.kind === 'immutable') return { cube: name, kind: 'immutable' }
  if (key.kind === 'every') return { cube: name, kind: 'every', seconds: key.seconds }
  return {
    cube: name,
    kind: 'sql',
    seconds: key.seconds,
    statement: { sql: sourceText(index, key.sql).join(''), parameters: [] },
  }
}
