import { planPage } from '../plan/plan-query.ts'
import type { CompiledQuery, CompiledRefreshKey, DialectName, Statement } from '../shapes/compiled.ts'
import type { GivenValues, Origin } from '../shapes/plan.ts'
import type { NormalizedQuery } from '../shapes/query.ts'
import type { Recording } from '../sql/sql-writer.ts'
import type { Pages, WritePage } from '../sql/write-plan.ts'
import { valuesOf } from './open-query.ts'

/** A compiled query into which values and page of another query of its shape can be filled. */
export interface Template {
  readonly compiled: CompiledQuery
  readonly dialectName: DialectName
  readonly texts: Recording['texts']
  readonly writePage: WritePage
  readonly total: Fillable | null
  readonly refreshKeys: readonly KeptRefreshKey[]
  /** Whether a refresh key asks the database. */
  readonly hasStatements: boolean
  /** The page that was asked for last: mostly it is asked for again. */
  last: KeptPage
}

interface KeptRefreshKey {
  readonly key: CompiledRefreshKey
  readonly statement: Fillable | null
}

interface KeptPage {
  readonly asked: Pick<NormalizedQuery, 'order' | 'limit' | 'offset'>
  readonly page: Fillable
  readonly oneMore: Fillable
}

/** A statement whose parameters come of the values of a query. */
interface Fillable {
  readonly statement: Statement
  /** By the position of a parameter; undefined: it is the same for every query. */
  readonly origins: readonly (Origin | undefined)[]
}

export function createTemplate(
  compiled: CompiledQuery,
  dialectName: DialectName,
  writePage: WritePage,
  recording: Recording,
  query: NormalizedQuery,
): Template {
  const { total, refreshKeys } = compiled
  return {
    compiled,
    dialectName,
    texts: recording.texts,
    writePage,
    total: total && fillable(total, recording.origins),
    refreshKeys: refreshKeys.map(key => ({
      key,
      statement: key.kind === 'sql' ? fillable(key.statement, recording.origins) : null,
    })),
    hasStatements: refreshKeys.some(({ kind }) => kind === 'sql'),
    last: keptPage(query, compiled, recording.origins),
  }
}

const keptPage = (
  { order, limit, offset = 0 }: NormalizedQuery,
  pages: Pages,
  origins: Recording['origins'],
): KeptPage => ({
  asked: { order, limit, offset },
  page: fillable(pages, origins),
  oneMore: fillable(pages.oneMore, origins),
})

function fillable({ sql, parameters }: Statement, recorded: Recording['origins']): Fillable {
  const origins = recorded.get(parameters)
  if (origins === undefined) throw new Error('A statement of a template was not recorded')
  return { statement: { sql, parameters }, origins }
}

/** The query with other values and another page; null where its text would be another one. */
export function fillTemplate(template: Template, query: NormalizedQuery): CompiledQuery | null {
  const given = valuesOf(query)
  for (const { origin, write, text } of template.texts) if (write(origin(given)) !== text) return null
  const { page, oneMore } = pageFor(template, query)
  const { columns, dataSource, cubes, refreshKeys } = template.compiled
  const first = fill(page, given)
  return {
    sql: first.sql,
    parameters: first.parameters,
    oneMore: fillLike(oneMore, given, page, first.parameters),
    columns,
    dataSource,
    cubes,
    refreshKeys: template.hasStatements ? template.refreshKeys.map(kept => fillRefreshKey(kept, given)) : refreshKeys,
    total: template.total && fill(template.total, given),
  }
}

const fillRefreshKey = ({ key, statement }: KeptRefreshKey, given: GivenValues): CompiledRefreshKey =>
  key.kind === 'sql' && statement ? { ...key, statement: fill(statement, given) } : key

function fill({ statement: { sql, parameters }, origins }: Fillable, given: GivenValues): Statement {
  return {
    sql,
    parameters: parameters.map((parameter, position) => {
      const origin = origins[position]
      return origin === undefined ? parameter : origin(given)
    }),
  }
}

/** Both pages have much the same parameters: what `made` of the other one has is not made again. */
function fillLike(
  { statement: { sql, parameters }, origins }: Fillable,
  given: GivenValues,
  other: Fillable,
  made: Statement['parameters'],
): Statement {
  return {
    sql,
    parameters: parameters.map((parameter, position) => {
      const origin = origins[position]
      if (origin === undefined) return parameter
      return (other.origins[position] === origin ? made[position] : undefined) ?? origin(given)
    }),
  }
}

function pageFor(template: Template, query: NormalizedQuery): KeptPage {
  if (isSamePage(template.last.asked, query)) return template.last
  const origins: Recording['origins'] = new Map()
  // The text before the page is the recorded one, and what it depends on was looked at.
  const pages = template.writePage(planPage(query, template.compiled.columns), { origins, texts: [] })
  template.last = keptPage(query, pages, origins)
  return template.last
}

function isSamePage({ order, limit, offset }: KeptPage['asked'], asked: NormalizedQuery): boolean {
  if (limit !== asked.limit || offset !== (asked.offset ?? 0) || order.length !== asked.order.length) return false
  return order.every(({ id, desc, nullsFirst }, position) => {
    const other = asked.order[position]
    return other?.id === id && other.desc === desc && other.nullsFirst === nullsFirst
  })
}

/** How much memory it takes, roughly: in bytes. */
export function sizeOf({ compiled }: Template): number {
  // The first and the last page, each twice, and the text that all pages share.
  const statements: Statement[] = [compiled, compiled, compiled, compiled.oneMore, compiled.oneMore]
  if (compiled.total) statements.push(compiled.total)
  for (const key of compiled.refreshKeys) if (key.kind === 'sql') statements.push(key.statement)
  const lengths = statements.reduce(
    (sum, { sql, parameters }) =>
      sum + sql.length + parameters.reduce<number>((length, value) => length + 100 + String(value).length, 0),
    0,
  )
  return 2_000 + 2 * lengths + 200 * (compiled.columns.length + compiled.cubes.length)
}
