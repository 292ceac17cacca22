import { isTimeZone } from '@hedron/contract'
import * as z from 'zod'
import type { SqlOperations } from '../../../sql/sql-operations.ts'
import type { DataCallers } from '../../asker/data-callers.ts'
import type { McpSessions } from '../mcp-session.ts'
import { type McpTool, mcpTool, placeInput } from '../mcp-tool.ts'
import { runStatement } from '../run-statement.ts'

interface RunQueryNeed {
  readonly sessions: McpSessions
  readonly dataCallers: DataCallers
  readonly sql: SqlOperations
}

export const offsetInput = z.int().min(0).max(1_000_000).optional().describe('Rows to leave out; for the next page.')

export const runQueryTool = ({ sessions, dataCallers, sql }: RunQueryNeed): McpTool =>
  mcpTool({
    name: 'runQuery',
    title: 'Run a query',
    description:
      "Runs SQL (PostgreSQL's dialect) over the data model, with the rights of who is connected. Views and cubes are tables, members are columns; measures only as MEASURE(name), never inside another aggregate; filters in WHERE. Example: SELECT status, MEASURE(count) FROM orders_view GROUP BY 1. Gives 100 rows at a time: while hasMore is true, call it again with a higher offset and the same statement, which needs an ORDER BY then.",
    input: z.strictObject({
      sqlQuery: z.string().min(1).max(100_000),
      offset: offsetInput,
      timezone: z
        .string()
        .max(100)
        .refine(isTimeZone, 'is no IANA name of a time zone, such as Europe/Berlin')
        .optional()
        .describe("IANA name; default: the deployment's."),
      ...placeInput,
    }),
    async call(session, { sqlQuery, offset = 0, timezone, ...wanted }, context) {
      const { deployment, branchName } = await sessions.place(session, wanted)
      const { accountId } = session.caller
      const caller = await dataCallers.ofCaller(session.caller, { accountId, deploymentId: deployment.id, branchName })
      const page = await runStatement(sql, caller, { sqlQuery, offset, timeZone: timezone ?? null }, context)
      return { branchName, ...page }
    },
  })
