import { CodedError } from '@hedron/contract'
import { checkQuery, QueryError } from '@hedron/semantic'
import { describeSqlError, parseStatement, SqlError } from '@hedron/sql'

/** Levels that the JSON of a query nests at most: filters take two each. */
const deepest = 100

/**
 * Makes sure that a query kept as JSON text can be asked: JSON, of the data API's shape, bounded. Its members are looked up when it
 * is asked, by who asks.
 *
 * @throws {CodedError} `report_query_invalid`.
 */
export function checkJsonQuery(text: string): void {
  const refuse = (reason: string) => new CodedError('report_query_invalid', { field: 'jsonQuery', reason })
  if (deeperThan(text, deepest)) throw refuse(`it nests deeper than ${deepest} levels.`)
  let query: unknown
  try {
    query = JSON.parse(text)
  } catch (error) {
    throw refuse(error instanceof Error ? `${error.message}.` : 'it is not JSON.')
  }
  try {
    checkQuery(query)
  } catch (error) {
    if (error instanceof QueryError) throw refuse(error.message)
    throw error
  }
}

/**
 * Makes sure that SQL kept as text is one statement that reads rows. Its names are looked up when it is asked, by who asks.
 *
 * @throws {CodedError} `report_query_invalid`, with the line and column.
 */
export async function checkSqlQuery(text: string): Promise<void> {
  const refuse = (reason: string) => new CodedError('report_query_invalid', { field: 'sqlQuery', reason })
  try {
    const { kind } = await parseStatement(text)
    if (kind !== 'select') throw refuse('a report reads rows with a SELECT.')
  } catch (error) {
    if (error instanceof SqlError) throw refuse(describeSqlError(error))
    throw error
  }
}

/** Whether brackets, counted without looking at texts, nest deeper; those within texts can only refuse more. */
function deeperThan(text: string, limit: number): boolean {
  let depth = 0
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === '[' || token === '{') depth += 1
    else if (token === ']' || token === '}') depth -= 1
    if (depth > limit) return true
  }
  return false
}
