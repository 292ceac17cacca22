import { command } from '../framework/command.ts'
import { Failure } from '../framework/failure.ts'
import { displayValue, fieldOf, formatCompact, isRecord } from '../framework/json.ts'
import { flag, optional, text } from '../framework/parameter.ts'
import { isBlank, oneReason } from '../framework/text.ts'
import { deploymentArgument } from './shared/arguments.ts'

export const validate = command({
  details: 'Compiles the data model of a branch and lists what is wrong with it. Exit code 1 when anything is.',
  examples: ['hedron validate 1', 'hedron validate 1 --branch main', 'hedron validate 1 --dev-mode --json'],
  arguments: { deployment: deploymentArgument },
  options: {
    branch: optional(text('branch'), 'branch to compile; the deploy branch when omitted'),
    devMode: flag('the open dev-mode branch, with its uncommitted files'),
  },
  exclusive: [['branch', 'devMode']],
  next: ({ deployment, devMode }) =>
    devMode ? `hedron data-model commit ${deployment}` : `hedron deployments build-status ${deployment}`,
  async run({ deployment, branch, devMode }, { output, session }) {
    const { request } = await session()
    // Read as it comes: a server of another version must not be taken for a valid model because of a missing field.
    const report = await request('GET', `/build/api/v1/deployments/${deployment}/data-model/validate`, {
      query: { branchName: branch, ...(devMode ? { devMode } : {}) },
    })
    const reported = displayValue(fieldOf(report, 'branchName'))
    const fallback =
      branch !== undefined && !isBlank(branch) ? branch : devMode ? 'the dev-mode branch' : 'the deploy branch'
    const name = isBlank(reported) ? fallback : reported
    const listed = fieldOf(report, 'errors')
    const errors = Array.isArray(listed) ? listed : []
    const noted = fieldOf(report, 'warnings')
    const warnings = Array.isArray(noted) ? noted : []

    if (output.json) output.document(report)
    if (fieldOf(report, 'valid') === true) {
      const count = fieldOf(report, 'cubesCount')
      const cubes = typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? ` (${count} cubes)` : ''
      if (output.json) return
      for (const warning of warnings) output.progress(`! ${errorLine(warning)}`, 'cyan')
      output.success(
        `Data model on ${name} is valid${cubes}${warnings.length > 0 ? `, with ${counted(warnings)}` : ''}`,
      )
      return
    }
    if (!output.json) {
      const verdict = errors.length > 0 ? 'failed to compile:' : 'could not be validated.'
      output.progress(`✗ Data model on ${name} ${verdict}`, 'red')
      for (const error of errors) output.progress(`  ${errorLine(error)}`)
    }
    throw errors.length > 0
      ? new Failure('model_invalid', { branch: name, count: errors.length })
      : new Failure('model_unchecked', { branch: name })
  },
})

const counted = (warnings: readonly unknown[]) => (warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`)

/** `file:line:column: message`, with as much of it as is known; never blank. */
export function errorLine(error: unknown): string {
  if (typeof error === 'string' && !isBlank(error)) return oneReason(error)
  const file = displayValue(fieldOf(error, 'fileName'))
  const position = [fieldOf(error, 'line'), fieldOf(error, 'column')].filter(part => typeof part === 'number')
  // For clients that show the message alone, it begins with the position that stands here before it.
  const message = displayValue(fieldOf(error, 'message')).replace(`line ${position.join(', column ')}: `, '')
  const place = isBlank(file) ? '' : [file, ...position].join(':')
  const parts = [place, message].filter(part => !isBlank(part))
  return oneReason(isRecord(error) && parts.length > 0 ? parts.join(': ') : formatCompact(error))
}
