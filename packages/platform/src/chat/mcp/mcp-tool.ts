import * as z from 'zod'
import type { McpSession } from './mcp-session.ts'

export interface McpContext {
  readonly signal: AbortSignal
  readonly requestId: string
  /** Network address of the assistant. */
  readonly address: string | null
}

/** A tool as assistants see it, and what it does. */
export interface McpTool {
  readonly name: string
  readonly title: string
  /** Tells the assistant when and how to use it. */
  readonly description: string
  /** Unknown properties are refused. */
  readonly input: z.ZodObject
  /**
   * @param input checked against `input`
   * @throws {McpError} and errors of the data API and platform whose messages are for callers
   */
  readonly call: (session: McpSession, input: unknown, context: McpContext) => Promise<object>
}

/** A tool whose input has the type of its schema. */
export function mcpTool<I extends z.ZodObject>(
  tool: Omit<McpTool, 'call' | 'input'> & {
    readonly input: I
    readonly call: (session: McpSession, input: z.output<I>, context: McpContext) => Promise<object>
  },
): McpTool {
  return { ...tool, call: (session, input, context) => tool.call(session, tool.input.parse(input), context) }
}

/** Inputs that most tools have. */
export const placeInput = {
  deploymentId: z
    .int()
    .min(1)
    .optional()
    .describe('Id of a deployment from listDeployments; never invent one. Default: that of the session.'),
  branchName: z
    .string()
    .min(1)
    .max(255)
    .nullish()
    .describe("A dev-… branch; null: the deployed model. Default: the session's branch."),
}
