import { CodedError } from '@hedron/contract'
import { DataError, isContinueWait } from '../../queries/data-error.ts'
import type { ToolOutcome } from '../agent.ts'

/** A tool was called with something that it cannot do; the message is for the agent that called it. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

/**
 * A failure as the result of a tool: an object with `error` (SPEC, "Tool calls"), which says what the data API would say and no more.
 *
 * @param branchName of the development branch that was asked; null: production
 * @returns undefined for an error that tells nobody but the operator anything
 */
export function toFailure(error: unknown, branchName: string | null): ToolOutcome | undefined {
  if (isContinueWait(error)) return failure('The data model is still being built. Try again in a moment.')
  if (error instanceof DataError) {
    // contract/behaviour/chat.md section 1, `activeBranchName`
    if (error.status === 404 && branchName !== null) return failure('BadRequestError: Bad branch')
    return failure(error.message)
  }
  if (error instanceof ToolError || error instanceof CodedError) return failure(error.message)
  return undefined
}

/** @param message what went wrong, for the agent */
export const failure = (message: string): ToolOutcome => ({
  failed: true,
  result: JSON.stringify({ error: message.startsWith('Error: ') ? message : `Error: ${message}` }),
})
