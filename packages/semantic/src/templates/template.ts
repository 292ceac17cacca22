import { planPage } from '../plan/plan-query.ts'
import type { CompiledQuery, CompiledRefreshKey, DialectName, Statement } from '../shapes/compiled.ts'
import type { Origin } from '../shapes/plan.ts'
import type { NormalizedQuery } from '../shapes/query.ts'
import type { Recording } from '../sql/sql-writer.ts'
import type { Pages, WritePage } from '../sql/write-plan.ts'
import { valuesOf } from './open-query.ts'

/** A compiled query into which values and page of another query of its shape can be filled. */
export interface Template {
  readonly compiled: CompiledQuery
  readonly dialectName: DialectName
  readonly recording: Recording
  readonly writePage: WritePage
  /** The page that was asked for last: mostly it is asked for again. */
  last: KeptPage
}

interface KeptPage {
  readonly asked: Pick<NormalizedQuery, 'order' | 'limit' | 'offset'>
  readonly pages: Pages
  readonly origins: Recording['origins']
}

export function createTemplate(
  compiled: CompiledQuery,
  dialectName: DialectName,
  writePage: WritePage,
  recording: Recording,
  query: NormalizedQuery,
): Template {
  return { compiled, dialectName, recording, writePage, last: keptPage(query, compiled, recording.origins) }
}

const keptPage = (
  { order, limit, offset = 0 }: NormalizedQuery,
  pages: Pages,
  origins: Recording['origins'],
): KeptPage => ({ asked: { order, limit, offset }, pages, origins })

/** The query with other values and another page; null where its text would be another one. */
export function fillTemplate(template: Template, query: NormalizedQuery): CompiledQuery | null {
  const { compiled, recording } = template
  const given = valuesOf(query)
  for (const { origin, write, text } of recording.texts) if (write(origin(given)) !== text) return null
  // Both pages, and the total, have much the same parameters.
  const made = new Map<Origin, string>()
  const make = (origin: Origin): string => {
    const known = made.get(origin)
    if (known !== undefined) return known
    const value = origin(given)
    made.set(origin, value)
    return value
  }
  const filled = ({ sql, parameters }: Statement, origins: Recording['origins']): Statement => ({
    sql,
    parameters: fill(parameters, origins.get(parameters), make),
  })
  const { pages, origins } = pageFor(template, query)
  const { columns, dataSource, cubes, refreshKeys, total } = compiled
  return {
    ...filled(pages, origins),
    oneMore: filled(pages.oneMore, origins),
    columns,
    dataSource,
    cubes,
    refreshKeys: refreshKeys.map(
      (key): CompiledRefreshKey =>
        key.kind === 'sql' ? { ...key, statement: filled(key.statement, recording.origins) } : key,
    ),
    total: total && filled(total, recording.origins),
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

function fill(
  parameters: Statement['parameters'],
  origins: readonly (Origin | undefined)[] | undefined,
  make: (origin: Origin) => string,
): Statement['parameters'] {
  if (origins === undefined) throw new Error('A statement of a template was not recorded')
  return parameters.map((parameter, position) => {
    const origin = origins[position]
    return origin === undefined ? parameter : make(origin)
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
