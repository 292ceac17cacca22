import { describeSqlError, SqlError } from '@hedron/sql'
import * as z from 'zod'
import type { SqlOperations } from '../../sql/sql-operations.ts'
import { plainSession } from '../../sql/sql-session.ts'
import { toSqlDataError } from '../../sql/to-sql-error.ts'
import { requireScope } from '../authenticate-data.ts'
import type { DataCaller } from '../data-caller.ts'
import { DataError } from '../data-error.ts'

const Parameters = z.looseObject({
  query: z.string(),
  disable_post_processing: z.union([z.boolean(), z.enum(['true', 'false'])]).nullish(),
})

const Conversion = z.looseObject({
  input: z.unknown().optional(),
  output: z.unknown().optional(),
  query: z.unknown().optional(),
})

/** Whether a request to `/v1/sql` is about a statement rather than a query of the data API. */
export const isStatementRequest = (raw: unknown): boolean =>
  typeof raw === 'object' && raw !== null && Reflect.get(raw, 'format') === 'sql'

/** What becomes of statements (contract/behaviour/query.md section 6). */
export function createShowStatement({ sqlApi }: { readonly sqlApi: SqlOperations }) {
  const planOf = async (caller: DataCaller, text: string) => {
    const { planning } = sqlApi
    return planning.plan(caller, await planning.read(text), plainSession, null)
  }
  return {
    /** The SQL that runs for a statement, `/v1/sql` with `format=sql`. */
    async statement(caller: DataCaller, raw: unknown): Promise<unknown> {
      requireScope(caller, 'sql')
      const { success, data } = Parameters.safeParse(raw)
      if (!success || data.query.trim() === '') throw new DataError(400, 'query parameter must be a non-empty string')
      const isDisabled = data.disable_post_processing === true || data.disable_post_processing === 'true'
      try {
        const { kind, parts, statement } = (await planOf(caller, data.query)).plan
        if (kind === 'post_processing' && isDisabled) {
          const error = 'Provided query can not be executed without post-processing.'
          return { sql: { status: 'error', error, query_type: kind } }
        }
        const shown = statement ?? parts[0]?.compiled
        if (!shown) throw new Error('a plan has a statement or a part')
        const under =
          kind === 'post_processing'
            ? { parts: parts.map(({ name, compiled }) => ({ name, sql: [compiled.sql, compiled.parameters] })) }
            : {}
        return { sql: { status: 'ok', sql: [shown.sql, shown.parameters], query_type: kind, ...under } }
      } catch (error) {
        return { sql: { status: 'error', ...refusal(error), query_type: 'regular' } }
      }
    },

    /** The query of the data API that a statement is, where it is one: `/v1/convert-query`. */
    async convert(caller: DataCaller, raw: unknown): Promise<unknown> {
      requireScope(caller, 'sql')
      const { data = { input: undefined, output: undefined, query: undefined } } = Conversion.safeParse(raw)
      const { input, output, query } = data
      if (input !== 'sql') throw new DataError(500, `Error: Unexpected input parameter value '${String(input)}'`)
      if (output !== 'rest') throw new DataError(500, `Error: Unexpected output parameter value '${String(output)}'`)
      if (typeof query !== 'string' || query.trim() === '') {
        throw new DataError(500, 'Error: query parameter must be a non-empty string')
      }
      try {
        const { plan, runtime } = await planOf(caller, query)
        const [part] = plan.parts
        if (plan.kind === 'regular' && part?.isPlain) {
          // A statement without LIMIT asks for all rows: as many as there can be, rather than the data API's default.
          const converted = { status: 'ok', query: { limit: runtime.maximumLimit, ...part.input } }
          return part.nullsFirst.length > 0 ? { ...converted, notice: otherNulls(part.nullsFirst) } : converted
        }
        const error = 'Provided query can not be converted: it calculates more than a query of the data API can say.'
        return { status: 'error', error }
      } catch (error) {
        return { status: 'error', ...refusal(error) }
      }
    },
  }
}

const otherNulls = (members: readonly string[]) =>
  `Missing values of ${members.join(', ')} come first in the statement and last in the query. Write NULLS LAST to have them last in both.`

/** What is wrong with a statement, as part of an answer. @throws what is no fault of the statement */
function refusal(error: unknown): { readonly error: string } {
  if (error instanceof SqlError) return { error: describeSqlError(error) }
  const shown = toSqlDataError(error)
  if (shown instanceof DataError && shown.status === 400) return { error: shown.message }
  throw shown
}
