import * as z from 'zod'
import type { Effects } from '../../effects.ts'
import type { DataCaller } from '../../queries/data-caller.ts'
import { DataError } from '../../queries/data-error.ts'
import { showColumns } from '../../queries/operations/answer-cubesql.ts'
import type { SqlOperations } from '../../sql/sql-operations.ts'
import { plainSession, type SqlRows } from '../../sql/sql-session.ts'
import type { LookedUp } from '../agent.ts'
import { checkChart } from './check-chart.ts'
import { type CountBounds, countRows, firstRows } from './read-rows.ts'
import { ToolError } from './tool-error.ts'

const Input = z.looseObject({
  sqlQuery: z.string().min(1).max(100_000),
  queryTitle: z.string().max(1_000).default(''),
  description: z.string().max(10_000).default(''),
  userRequest: z.string().max(100_000).default(''),
  memoryId: z.string().max(1_000).nullish(),
  vegaSpec: z.string().nullish(),
})

/** Rows of a result (SPEC, "Limits"), what they may take, and how many are counted before the statement has to ask for less. */
const bounds: CountBounds = { rows: 100, characters: 400_000, counted: 1_000_000 }

/** Rows that can be looked up at once. */
const mostLookedUp = 10_000

export interface StatementContext {
  readonly signal: AbortSignal
  readonly requestId: string
  /** IANA name: times are read and shown as local times of it; null: the deployment's. */
  readonly timeZone: string | null
}

/**
 * `serviceSqlApi` (SPEC, "Tool calls"): runs a statement over the model for the caller, as `/v1/cubesql` does, with the first 100 of its rows
 * and their exact number. A statement of more than a million rows is refused, since to count them all is dearer than any answer.
 */
export function createServiceSqlApi({
  sqlApi,
  effects,
}: {
  readonly sqlApi: SqlOperations
  readonly effects: Effects
}) {
  async function ask(caller: DataCaller, text: string, { timeZone, signal, requestId }: StatementContext) {
    const prepared = await sqlApi.prepare(caller, text, { ...plainSession, timezone: timeZone })
    return {
      columns: prepared.columns,
      run: (): Promise<SqlRows> =>
        prepared.run([], { signal, requestId, cache: 'stale-if-slow', waitMs: Number.POSITIVE_INFINITY }),
    }
  }

  return {
    /** @throws {ToolError} for input that is none @throws {DataError} as `SqlOperations` does */
    async call(caller: DataCaller, input: unknown, context: StatementContext): Promise<object> {
      const { sqlQuery, queryTitle, description, userRequest, vegaSpec } = readInput(input)
      const { columns, run } = await ask(caller, sqlQuery, context)
      const names = columns.map(({ name }) => name)
      const chart = vegaSpec?.trim() ? checkChart(vegaSpec, names) : null
      const { rows, total } = await countRows((await run()).rows, bounds)
      if (total === null) {
        throw new ToolError(
          `The statement gives more than ${bounds.counted} rows. Group them, filter them, or set a LIMIT.`,
        )
      }
      if (rows.length === 0 && total > 0) {
        throw new ToolError(`A row of the result has more than ${bounds.characters} characters. Select fewer columns.`)
      }
      return {
        sqlQuery,
        queryTitle,
        description,
        userRequest,
        schema: showColumns(columns),
        data: rows,
        totalRows: total,
        uuid: randomUuid(effects),
        ...(chart === null ? {} : { vegaSpec: chart }),
      }
    },

    /** @throws {DataError} */
    async lookUp(caller: DataCaller, text: string, maxRows: number, context: StatementContext): Promise<LookedUp> {
      if (!Number.isInteger(maxRows) || maxRows < 1 || maxRows > mostLookedUp) {
        throw new DataError(400, `Between 1 and ${mostLookedUp} rows can be looked up at once, not ${maxRows}`)
      }
      const { columns, run } = await ask(caller, text, context)
      return { columns: columns.map(({ name }) => name), ...(await firstRows((await run()).rows, maxRows)) }
    },
  }
}

function readInput(input: unknown): z.infer<typeof Input> {
  const { success, data, error } = Input.safeParse(input)
  if (success) return data
  const [issue] = error.issues
  const what = issue === undefined || issue.path.length === 0 ? 'the input' : JSON.stringify(issue.path.join('.'))
  throw new ToolError(
    `serviceSqlApi takes {"sqlQuery", "queryTitle", "description", "userRequest", "vegaSpec"?}, all of them text: ${what} ${issue?.message ?? 'is invalid'}`,
  )
}

/** RFC 9562, version 4. */
function randomUuid(effects: Effects): string {
  const bytes = effects.randomBytes(16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const text = bytes.toString('hex')
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-')
}
