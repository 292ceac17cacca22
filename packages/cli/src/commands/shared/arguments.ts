import type { Quote } from '../../framework/command.ts'
import { optional, required, rowId, text } from '../../framework/parameter.ts'
import { isBlank } from '../../framework/text.ts'

export const deploymentArgument = required(rowId, 'id of the deployment')

/** Blank is allowed and sent as it is: the server then takes the branch of the open dev-mode session. */
export const branchOption = optional(text('branch'), 'branch; the open dev-mode branch when omitted')

/** The command that compiles a branch, or the open dev-mode branch where none is named. */
export const validateCommand = (deployment: number, branch: string | undefined, quote: Quote): string =>
  branch === undefined || isBlank(branch)
    ? `hedron validate ${deployment} --dev-mode`
    : `hedron validate ${deployment} --branch ${quote(branch)}`
