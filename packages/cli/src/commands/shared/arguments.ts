import { optional, required, rowId, text } from '../../framework/parameter.ts'

export const deploymentArgument = required(rowId, 'id of the deployment')

/** Blank is allowed and sent as it is: the server then takes the branch of the open dev-mode session. */
export const branchOption = optional(text('branch'), 'branch; the open dev-mode branch when omitted')
