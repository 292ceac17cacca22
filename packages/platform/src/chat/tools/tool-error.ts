import { CodedError } from '@hedron/contract'
import { DataError, isContinueWait } from '../../queries/data-error.ts'
import type { ToolOutcome } from '../agent.ts'

/** A tool was called with something that it cannot do; the message is for the agent that called it. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

/**
 * What is said of an error, as the data API would say it and no more.
 *
 * @param branchName of the development branch that was asked; null: production
 * @returns undefined for an error that tells nobody but the operator anything
 */
export function explainError(error: unknown, branchName: string | null): string | undefined {
  if (isContinueWait(error)) return 'The data model is still being built. Try again in a moment.'
  // contract/behaviour/chat.md section 1, `activeBranchName`
  const isMissing = error instanceof DataError && error.status === 404
  if (isMissing && branchName !== null) return 'BadRequestError: Bad branch'
  const isTold = error instanceof DataError || error instanceof ToolError || error instanceof CodedError
  return isTold ? error.message : undefined
}

/**
 * A failure as the result of a tool: an object with `error` (SPEC, "Tool calls").
 *
 * @param message what went wrong, for the agent
 */
export const failure = (message: string): ToolOutcome => ({
  failed: true,
  result: JSON.stringify({ error: message.startsWith('Error: ') ? message : `Error: ${message}` }),
})
