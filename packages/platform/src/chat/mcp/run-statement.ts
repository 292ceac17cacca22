import type { Cell } from '@hedron/query'
import type { DataCaller } from '../../queries/data-caller.ts'
import { showColumns } from '../../queries/operations/answer-cubesql.ts'
import type { SqlOperations } from '../../sql/sql-operations.ts'
import { plainSession } from '../../sql/sql-session.ts'
import { McpError } from './mcp-error.ts'
import type { McpContext } from './mcp-tool.ts'
import { readPage } from './read-page.ts'

/** Rows of a page, and what of them assistants can hold. */
const bounds = { rows: 100, characters: 200_000, counted: 1_000_000 } as const

export interface StatementPage {
  readonly schema: readonly { readonly name: string; readonly type: string }[]
  readonly data: readonly Readonly<Record<string, Cell>>[]
  readonly offset: number
  readonly hasMore: boolean
  readonly totalRows: number
}

interface Asked {
  readonly sqlQuery: string
  readonly offset: number
  /** IANA name; null: the deployment's. */
  readonly timeZone: string | null
}

/**
 * Runs a statement over the model for a caller and gives a page of its rows, by column name. A page that is too large ends early;
 * `hasMore` then says so, and the next begins where it ended.
 *
 * @throws {DataError} as `SqlOperations` does
 * @throws {McpError} for a result that can't be paged
 */
export async function runStatement(
  sql: SqlOperations,
  caller: DataCaller,
  { sqlQuery, offset, timeZone }: Asked,
  { signal, requestId }: Pick<McpContext, 'signal' | 'requestId'>,
): Promise<StatementPage> {
  signal.throwIfAborted()
  const prepared = await sql.prepare(caller, sqlQuery, { ...plainSession, timezone: timeZone })
  const answer = await prepared.run([], {
    signal,
    requestId,
    cache: 'stale-if-slow',
    waitMs: Number.POSITIVE_INFINITY,
  })
  const { rows, total } = await readPage(answer.rows, { ...bounds, offset })
  if (total === null) {
    throw new McpError(`The statement gives more than ${bounds.counted} rows. Group them, filter them, or set a LIMIT.`)
  }
  if (rows.length === 0 && total > offset) {
    throw new McpError(`A row of the result has more than ${bounds.characters} characters. Select fewer columns.`)
  }
  const names = uniqueNames(prepared.columns.map(({ name }) => name))
  const schema = showColumns(prepared.columns).map(({ column_type: type }, index) => ({
    name: names[index] ?? '',
    type,
  }))
  const data = rows.map(row => Object.fromEntries(row.map((cell, index) => [names[index] ?? '', cell])))
  return { schema, data, offset, hasMore: offset + rows.length < total, totalRows: total }
}

/** Columns may share a name, keys of an object can't: the second is told apart by its number. */
function uniqueNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  return names.map(name => {
    let free = name
    for (let number = 2; taken.has(free); number++) free = `${name}_${number}`
    taken.add(free)
    return free
  })
}
