import { CodedError } from '@hedron/contract'
import type { Store } from '@hedron/store'
import * as z from 'zod'
import type { Caller } from '../../caller.ts'
import type { FindDeployment } from '../../deployments/find-deployment.ts'
import type { Effects } from '../../effects.ts'
import { DataError, isContinueWait } from '../../queries/data-error.ts'
import type { DeploymentRuntimes } from '../../queries/deployment-runtime.ts'
import type { SqlOperations } from '../../sql/sql-operations.ts'
import { AgentError } from '../agent.ts'
import { createDataCallers } from '../asker/data-callers.ts'
import type { ChatApi } from '../chat-api.ts'
import type { ChatTools } from '../tools/chat-tools.ts'
import { createChatOfSession } from './chat-of-session.ts'
import { McpError } from './mcp-error.ts'
import { createMcpSessions, type McpChoice, type McpSession } from './mcp-session.ts'
import type { McpContext, McpTool } from './mcp-tool.ts'
import { chatTool } from './tools/chat.ts'
import { listDeploymentsTool } from './tools/list-deployments.ts'
import { loadQueryResultsTool } from './tools/load-query-results.ts'
import { runQueryTool } from './tools/run-query.ts'
import { searchDataModelTool } from './tools/search-data-model.ts'

interface McpNeed {
  readonly store: Store
  readonly effects: Effects
  readonly authenticate: (authorization: string | undefined) => Promise<Caller>
  readonly findDeployment: FindDeployment
  readonly runtimes: DeploymentRuntimes
  readonly chat: Pick<ChatApi, 'stream'>
  readonly tools: ChatTools
  readonly sql: SqlOperations
  readonly report: (error: unknown) => void
}

/** How a tool call ended. */
export type McpOutcome =
  | { readonly failed: false; readonly result: object }
  | { readonly failed: true; readonly message: string }

/** What outside assistants can do here (contract/behaviour/chat.md section 8, contract/cli-admin.md W10), apart from the protocol. */
export interface Mcp {
  readonly tools: readonly Pick<McpTool, 'name' | 'title' | 'description' | 'input'>[]
  /**
   * Begins with a request.
   *
   * @throws {CodedError} `not_authenticated`
   * @throws {McpError} for a deployment or branch that cannot be worked on
   */
  open(authorization: string | undefined, choice: McpChoice): Promise<McpSession>
  /** Calls a tool with the rights of the session's caller. What goes wrong is its outcome. */
  call(session: McpSession, name: string, input: unknown, context: McpContext): Promise<McpOutcome>
}

export function createMcp(need: McpNeed): Mcp {
  const { store, sql } = need
  const dataCallers = createDataCallers(need)
  const sessions = createMcpSessions(need)
  const chat = createChatOfSession({ ...need, sessions })
  const tools = [
    listDeploymentsTool(store, sessions),
    searchDataModelTool({ ...need, sessions, dataCallers }),
    runQueryTool({ sessions, dataCallers, sql }),
    chatTool(chat),
    loadQueryResultsTool({ chat, dataCallers, sql }),
  ]
  return {
    tools,
    async open(authorization, choice) {
      const caller = await need.authenticate(authorization)
      if (caller.embed !== null) {
        throw new CodedError('not_authenticated', { reason: 'An embed session is no credential for assistants.' })
      }
      return sessions.open(caller, () => need.authenticate(authorization), choice)
    },
    async call(session, name, input, context) {
      const tool = tools.find(each => each.name === name)
      if (!tool) return { failed: true, message: `There is no tool ${JSON.stringify(name.slice(0, 100))}.` }
      try {
        return { failed: false, result: await tool.call(session, input, context) }
      } catch (error) {
        if (context.signal.aborted) return { failed: true, message: 'The call was cancelled.' }
        const message = messageFor(error)
        if (message !== undefined) return { failed: true, message }
        need.report(error)
        const { requestId } = context
        return {
          failed: true,
          message: `The tool failed for a reason that the server keeps to itself. Request ${requestId}.`,
        }
      }
    },
  }
}

/** What a caller may be told; undefined: nothing. */
function messageFor(error: unknown): string | undefined {
  if (isContinueWait(error)) return 'The data model is still being built. Try again in a moment.'
  if (error instanceof z.ZodError) return z.prettifyError(error)
  const isTold =
    error instanceof McpError ||
    error instanceof DataError ||
    error instanceof CodedError ||
    error instanceof AgentError
  return isTold ? error.message : undefined
}
