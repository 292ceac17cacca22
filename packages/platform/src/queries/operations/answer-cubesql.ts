import type { Cell } from '@hedron/query'
import type { SqlColumn, SqlType } from '@hedron/sql'
import * as z from 'zod'
import type { Effects } from '../../effects.ts'
import type { HttpCatalogAnswer, HttpCatalogs } from '../../sql/catalog/http-catalogs.ts'
import type { SqlOperations } from '../../sql/sql-operations.ts'
import { plainSession, type SqlRows } from '../../sql/sql-session.ts'
import type { DataCaller } from '../data-caller.ts'
import { DataError } from '../data-error.ts'
import type { DataContext } from './operation-needs.ts'

/** An answer that comes line by line; it is read no faster than it is sent. */
export interface JsonLines {
  readonly lines: AsyncIterable<string>
}

const Body = z.strictObject({
  query: z.string(),
  timezone: z.string().nullish(),
  cache: z.enum(['stale-if-slow', 'stale-while-revalidate', 'must-revalidate', 'no-cache']).nullish(),
  throwContinueWait: z.boolean().nullish(),
  /** Our own: conditions in the words of the data API, which hold where their member is a column of the answer. */
  filters: z
    .array(
      z.strictObject({ member: z.string(), operator: z.string(), values: z.array(z.string()).max(10_000).optional() }),
    )
    .max(100)
    .nullish(),
})

/**
 * `POST /v1/cubesql` (contract/behaviour/query.md section 6): a line with the columns, then lines with rows; an error after the
 * first line is the last line. `complete` in the first line: all rows follow, unless an error line does. Statements over the catalogs
 * are answered in the same form. Where `filters` are sent, `filtered` in the first line names the members whose conditions hold.
 */
export function createAnswerCubesql(need: {
  readonly effects: Effects
  readonly sqlApi: SqlOperations
  readonly httpCatalogs: HttpCatalogs
  readonly continueWaitMs: number
}) {
  return async (caller: DataCaller, body: unknown, context: DataContext): Promise<JsonLines> => {
    const { query, timezone, cache, throwContinueWait, filters } = readBody(body)
    const catalogs = await need.httpCatalogs(caller, query, context.signal)
    if (catalogs) return { lines: catalogLines(catalogs, need.effects.now()) }
    const prepared = await need.sqlApi.prepare(caller, query, {
      ...plainSession,
      timezone: timezone ?? null,
      filters: (filters ?? []).map(({ values, ...filter }) => (values === undefined ? filter : { ...filter, values })),
    })
    const answer = await prepared.run([], {
      signal: context.signal,
      requestId: context.requestId,
      cache: cache ?? 'stale-if-slow',
      waitMs: throwContinueWait ? need.continueWaitMs : Number.POSITIVE_INFINITY,
    })
    const head = {
      schema: showColumns(prepared.columns),
      lastRefreshTime: answer.lastRefreshTime.toISOString(),
      complete: true,
      ...(filters ? { filtered: prepared.filtered } : {}),
    }
    return { lines: linesOf(head, answer) }
  }
}

function readBody(body: unknown): z.infer<typeof Body> {
  const { success, data, error } = Body.safeParse(body ?? {})
  if (success && data.query.trim() !== '') return data
  const [issue] = error?.issues ?? []
  if (issue?.code === 'unrecognized_keys') {
    throw new DataError(400, `Invalid query format: "${issue.keys.join('", "')}" is not allowed`)
  }
  const path = issue?.path.join('.') ?? 'query'
  if (path === 'query') throw new DataError(400, 'query parameter must be a non-empty string')
  throw new DataError(400, `Invalid query format: "${path}" ${issue?.message ?? 'is invalid'}`)
}

async function* linesOf(head: object, { rows }: SqlRows): AsyncGenerator<string> {
  yield `${JSON.stringify(head)}\n`
  try {
    for await (const portion of rows) yield dataLine(portion)
  } catch (error) {
    // Rows that were sent can't be taken back: whoever reads on is told.
    if (!(error instanceof DataError)) throw error
    yield `${JSON.stringify(error.body)}\n`
  }
}

async function* catalogLines({ columns, rows }: HttpCatalogAnswer, now: Date): AsyncGenerator<string> {
  const schema = columns.map(({ name, columnType }) => ({ name, column_type: columnType }))
  yield `${JSON.stringify({ schema, lastRefreshTime: now.toISOString(), complete: true })}\n`
  for (let start = 0; start < rows.length; start += portionRows) yield dataLine(rows.slice(start, start + portionRows))
}

/** Rows of a line about catalogs. */
const portionRows = 1000

const dataLine = (portion: readonly (readonly Cell[])[]) => `${JSON.stringify({ data: portion })}\n`

/** Columns of a statement as clients of this address know them. */
export const showColumns = (columns: readonly SqlColumn[]) =>
  columns.map(({ name, type }) => ({ name, column_type: columnTypes[type] }))

/** Types as clients of this address know them. */
const columnTypes: Readonly<Record<SqlType, string>> = {
  bool: 'Boolean',
  int4: 'Int32',
  int8: 'Int64',
  numeric: 'Double',
  float8: 'Double',
  text: 'String',
  date: 'Date',
  time: 'String',
  timestamp: 'Timestamp',
  timestamptz: 'Timestamp',
  interval: 'Interval',
  'text[]': 'String',
  'int8[]': 'String',
  'numeric[]': 'String',
  unknown: 'String',
}
