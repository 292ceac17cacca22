import * as z from 'zod'
import type { AgentTurn } from './agent.ts'

/** What `serviceSqlApi` gives (SPEC, "Tool calls"), in the parts that are told of. */
const Result = z.object({
  schema: z.array(z.object({ name: z.string(), column_type: z.string() })),
  data: z.array(z.array(z.unknown())),
  totalRows: z.number(),
})

const Failure = z.object({ error: z.string() })

export interface SqlQuestion {
  readonly sql: string
  readonly title: string
  readonly description: string
  /** A Vega-Lite specification. */
  readonly chart: object | null
}

export interface SqlAnswer {
  readonly names: readonly string[]
  readonly types: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  readonly totalRows: number
}

/** Runs a statement by the tool, with the asker's rights. A failure is something to tell. */
export async function askSql(
  turn: AgentTurn,
  { sql, title, description, chart }: SqlQuestion,
): Promise<SqlAnswer | { readonly failure: string }> {
  const { failed, result } = await turn.callTool('serviceSqlApi', {
    sqlQuery: sql,
    queryTitle: title,
    description,
    userRequest: turn.input.slice(0, 2_000),
    ...(chart ? { vegaSpec: JSON.stringify(chart) } : {}),
  })
  const parsed: unknown = JSON.parse(result)
  if (failed) {
    const { success, data } = Failure.safeParse(parsed)
    return { failure: `The query could not be answered. ${success ? data.error : 'The reason is not known.'}` }
  }
  const { schema, data, totalRows } = Result.parse(parsed)
  return {
    names: schema.map(({ name }) => name),
    types: schema.map(column => column.column_type),
    rows: data,
    totalRows,
  }
}
