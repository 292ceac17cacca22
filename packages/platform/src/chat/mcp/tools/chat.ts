import * as z from 'zod'
import type { ChatOfSession } from '../chat-of-session.ts'
import { McpError } from '../mcp-error.ts'
import { type McpTool, mcpTool, placeInput } from '../mcp-tool.ts'
import type { AnswerTable } from '../read-answer.ts'

/** Of what the agent looked at, this much is shown; loadQueryResults gives the rest. */
const mostTables = 5
const mostRows = 20

export const chatIdInput = z.string().min(1).max(100)

export const chatTool = (chat: ChatOfSession): McpTool =>
  mcpTool({
    name: 'chat',
    title: 'Ask the analyst',
    description:
      'Asks the analyst agent of a deployment a question in words and gives its answer with the tables behind it; for open questions. Send chatId of an earlier answer to go on with that conversation, or chatId without input to read its last answer. It changes nothing.',
    input: z.strictObject({
      input: z.string().min(1).max(100_000).optional().describe('The question.'),
      chatId: chatIdInput.optional().describe('Of the conversation to go on with.'),
      agentId: z.int().min(1).nullish().describe('An agent from listDeployments; null or left out: the Auto agent.'),
      ...placeInput,
    }),
    async call(session, { input, chatId, agentId, deploymentId, branchName }, context) {
      if (input === undefined && chatId === undefined) throw new McpError('Send input, chatId or both.')
      const outcome = await chat(session, { input, chatId, agentId, deploymentId, branchName }, context)
      if (outcome.answer === null) {
        throw new McpError(
          outcome.error ?? 'The conversation has no answer yet. Read it again in a moment, by its chatId.',
        )
      }
      return {
        chatId: outcome.chatId,
        deploymentId: outcome.deploymentId,
        branchName: outcome.branchName,
        cubeChatUrl: null,
        answer: outcome.answer,
        tables: outcome.tables.slice(-mostTables).map(showTable),
      }
    },
  })

const showTable = ({ data, schema, ...table }: AnswerTable) => ({
  ...table,
  schema: schema.map(({ name, column_type: type }) => ({ name, type })),
  data: data.slice(0, mostRows),
  hasMore: table.totalRows > Math.min(data.length, mostRows),
})
