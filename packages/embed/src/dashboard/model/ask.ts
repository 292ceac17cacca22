import { type Column, type LoadAnswer, type Result, resultOfLoad, resultOfSql } from '@hedron/ui'
import type { Asking, DataClient } from '../../frame/data-client.ts'
import type { Question } from './question.ts'

/** The answer to a question, as it is shown. */
export interface Answer {
  readonly result: Result
  /** When the data source was asked; null where it does not say. */
  readonly refreshedAt: Date | null
  /** There are more rows than these, and the report did not ask for fewer. */
  readonly isPartial: boolean
  /** Titles of filters that are set and do not hold in these rows. */
  readonly passedOver: readonly string[]
}

/** Rows of one request, at most (docs/data-api.md), and of a table in the page. */
const rowsAtOnce = 50_000
const mostRows = 500_000

/** @throws {DataFailure} where there is no answer. */
export async function ask(
  data: DataClient,
  question: Question,
  timezone: string | undefined,
  asking: Asking,
): Promise<Answer> {
  if (question.kind === 'none') throw new Error(question.reason)
  if (question.kind === 'sql') {
    const filters = question.filters.map(({ title: _, concerns: __, ...filter }) => filter)
    const { schema, data: rows, filtered } = await data.sql(question.query, timezone, asking, filters)
    const passedOver = question.filters
      .filter(({ member, concerns }) => concerns && !filtered.includes(member))
      .map(({ title }) => title)
    return { result: resultOfSql(schema, rows), refreshedAt: null, isPartial: false, passedOver }
  }
  const answer = await data.load(question.query, asking)
  const { passedOver } = question
  const isPartial = !question.isLimited && isIncomplete(answer)
  const result = renamedResult(answer, question)
  if (!isPartial) return { result, refreshedAt: momentOf(answer), isPartial, passedOver }
  const { total } = await data.load({ ...question.query, limit: 1, total: true }, asking)
  return {
    result: total === undefined ? result : { ...result, totalRows: total },
    refreshedAt: momentOf(answer),
    isPartial,
    passedOver,
  }
}

/**
 * All rows of a question whose first answer held only a part: portion after portion, in an order that no two rows share. Where a page cannot hold
 * them, the result says by `totalRows` that there are more.
 */
export async function askForAll(
  data: DataClient,
  question: Question & { readonly kind: 'load' },
  asking: Asking,
  onProgress: (done: number) => void,
): Promise<Result> {
  const query = { ...question.query, order: completeOrder(question.query) }
  let rows: Result['rows'] = []
  let columns: readonly Column[] = []
  let offset: number | undefined = 0
  while (offset !== undefined && rows.length < mostRows) {
    const answer: LoadAnswer = await data.load({ ...query, limit: rowsAtOnce, offset }, asking)
    const part = renamedResult(answer, question)
    columns = part.columns
    rows = rows.concat(part.rows)
    onProgress(rows.length)
    offset = isIncomplete(answer) ? offset + rowsAtOnce : undefined
  }
  if (offset === undefined) return { columns, rows }
  const { total } = await data.load({ ...question.query, limit: 1, total: true }, asking)
  return { columns, rows, totalRows: total ?? rows.length + 1 }
}

/** The columns under the names that the report's chart knows; titles are those of what was asked. */
function renamedResult(answer: LoadAnswer, { renamed }: Question & { readonly kind: 'load' }): Result {
  const result = resultOfLoad(answer)
  if (renamed.size === 0) return result
  const columns = result.columns.map(column => ({ ...column, name: renamed.get(column.name) ?? column.name }))
  return { ...result, columns }
}

const isIncomplete = (answer: object): boolean => 'complete' in answer && answer.complete === false

function momentOf(answer: object): Date | null {
  return 'lastRefreshTime' in answer && typeof answer.lastRefreshTime === 'string'
    ? new Date(answer.lastRefreshTime)
    : null
}

function completeOrder(query: Readonly<Record<string, unknown>>): unknown[] {
  const { order, dimensions, timeDimensions } = query
  const given: [string, unknown][] = Array.isArray(order)
    ? order.map(each => [String(each[0]), each[1]])
    : Object.entries(typeof order === 'object' && order !== null ? order : {})
  const names = [
    ...(Array.isArray(dimensions) ? dimensions.map(String) : []),
    ...(Array.isArray(timeDimensions) ? timeDimensions : [])
      .filter((each: { granularity?: unknown }) => each.granularity !== undefined)
      .map((each: { dimension: unknown }) => String(each.dimension)),
  ]
  const ordered = new Set(given.map(([name]) => name))
  return [...given, ...names.filter(name => !ordered.has(name)).map(name => [name, 'asc'])]
}
