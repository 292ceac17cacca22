import * as z from 'zod'
import type { SqlOperations } from '../../../sql/sql-operations.ts'
import type { DataCallers } from '../../asker/data-callers.ts'
import type { ChatOfSession } from '../chat-of-session.ts'
import { McpError } from '../mcp-error.ts'
import { type McpTool, mcpTool, placeInput } from '../mcp-tool.ts'
import { runStatement } from '../run-statement.ts'
import { chatIdInput } from './chat.ts'
import { offsetInput } from './run-query.ts'

interface LoadNeed {
  readonly chat: ChatOfSession
  readonly dataCallers: DataCallers
  readonly sql: SqlOperations
}

export const loadQueryResultsTool = ({ chat, dataCallers, sql }: LoadNeed): McpTool =>
  mcpTool({
    name: 'loadQueryResults',
    title: 'Load rows behind an answer',
    description:
      'Gives all rows of a table of a chat answer, 100 at a time, by running its query again. queryId is that of a table of the chat tool; without it the last query of the conversation is taken.',
    input: z.strictObject({
      chatId: chatIdInput,
      queryId: z.string().min(1).max(100).optional(),
      offset: offsetInput,
      ...placeInput,
    }),
    async call(session, { chatId, queryId, offset = 0, deploymentId, branchName }, context) {
      const thread = await chat(session, { input: undefined, chatId, deploymentId, branchName }, context)
      const table = queryId === undefined ? thread.tables.at(-1) : thread.tables.find(each => each.queryId === queryId)
      if (!table) {
        const which = queryId === undefined ? 'no query' : `no query ${JSON.stringify(queryId)}`
        throw new McpError(`The conversation ${JSON.stringify(chatId)} has ${which}. Ask by the chat tool first.`)
      }
      const { accountId } = session.caller
      const at = { accountId, deploymentId: thread.deploymentId, branchName: thread.branchName }
      const caller = await dataCallers.ofCaller(session.caller, at)
      const page = await runStatement(sql, caller, { sqlQuery: table.sqlQuery, offset, timeZone: null }, context)
      return { chatId, queryId: table.queryId, branchName: thread.branchName, sqlQuery: table.sqlQuery, ...page }
    },
  })
