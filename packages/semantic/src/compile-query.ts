import { dialects } from './dialects/dialects.ts'
import { planQuery, planRefreshKey } from './plan/plan-query.ts'
import { indexModel } from './resolve/model-index.ts'
import type { CompiledQuery, CompiledRefreshKey, DialectName } from './shapes/compiled.ts'
import type { Model } from './shapes/model.ts'
import type { NormalizedQuery, QueryContext } from './shapes/query.ts'
import type { Recording } from './sql/sql-writer.ts'
import { pagesOf, type WritePage, writeStatement, writeTotal } from './sql/write-plan.ts'
import { type Asked, createQueryTemplates } from './templates/query-templates.ts'

/** For how long an answer is fresh when nothing is said, in seconds; longer where asking takes long or costs (data-model.md, section 2). */
const usualFreshness = 10
const slowFreshness = 120
const slowDatabases: readonly DialectName[] = ['bigquery', 'snowflake', 'trino']

/** Of all models that are served: some thousand shapes of queries. */
const templateLimits = { entries: 4_000, bytes: 32 * 1024 * 1024 }

const compileAsked = createQueryTemplates(templateLimits, compileAfresh)

/**
 * Turns a normalized query into SQL for one database.
 *
 * Reads no clock, file or network: the same model, query and context always give the same text.
 *
 * @param database which dialect; a function where it depends on the data source of the cubes that the query reads
 * @param parametersBefore how many parameters stand before its own in a statement that the text becomes part of
 * @throws {QueryError} when the model has no way to answer the query, such as cubes that nothing joins
 */
export const compileQuery = (
  model: Model,
  query: NormalizedQuery,
  context: QueryContext,
  database: DialectName | ((dataSource: string) => DialectName),
  parametersBefore = 0,
): CompiledQuery => compileAsked({ model, query, context, database, parametersBefore })

/** The same without a look at what was compiled before. */
export function compileAfresh(
  { model, query, context, database, parametersBefore }: Asked,
  recording: Recording | null = null,
): { readonly compiled: CompiledQuery; readonly dialectName: DialectName; readonly writePage: WritePage } {
  const plan = planQuery(model, query, context)
  const dialectName = typeof database === 'function' ? database(plan.dataSource) : database
  const dialect = dialects[dialectName]
  const writePage = pagesOf(plan, dialect, parametersBefore, recording)
  const { sql, parameters, oneMore } = writePage(plan, recording)
  const compiled = {
    sql,
    parameters,
    oneMore,
    columns: plan.columns,
    dataSource: plan.dataSource,
    cubes: plan.cubes,
    refreshKeys: compileRefreshKeys(model, plan.cubes, query, context, dialectName, recording),
    total: query.total ? writeTotal(plan, dialect, recording) : null,
  }
  return { compiled, dialectName, writePage }
}

/** For how long answers over these cubes are fresh. */
export const compileRefreshKeys = (
  model: Model,
  cubes: readonly string[],
  query: NormalizedQuery,
  context: QueryContext,
  dialectName: DialectName,
  recording: Recording | null = null,
): CompiledRefreshKey[] =>
  cubes.map(name => {
    const { refreshKey: key } = indexModel(model).cube(name)
    if (key.kind === 'immutable') return { cube: name, kind: 'immutable' }
    if (key.kind === 'schedule') return { cube: name, ...key }
    const seconds = key.seconds ?? (slowDatabases.includes(dialectName) ? slowFreshness : usualFreshness)
    if (key.kind === 'every') return { cube: name, kind: 'every', seconds }
    const sql = planRefreshKey(model, key.sql, query, context)
    return { cube: name, kind: 'sql', seconds, statement: writeStatement(sql, dialects[dialectName], recording) }
  })
