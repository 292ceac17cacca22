import type * as z from 'zod'

/**
 * Says in one line what a request got wrong: each problem names the field and what is allowed there.
 *
 * @param where the part of the request, for example `body` or `query`.
 */
export function explainIssues(issues: readonly z.core.$ZodIssue[], where: string): string {
  const lines = issues.slice(0, 10).map(issue => `${fieldName(issue.path, where)}: ${reason(issue)}`)
  if (issues.length > 10) lines.push(`and ${issues.length - 10} more problems`)
  return lines.join('; ')
}

function fieldName(path: readonly PropertyKey[], where: string): string {
  if (path.length === 0) return where
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index ? '.' : ''}${String(part)}`))
    .join('')
}

function reason(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') {
    return `unknown field ${issue.keys.map(key => JSON.stringify(key.slice(0, 100))).join(', ')}; see GET /api/v1/spec for the fields`
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(value => String(value)).join(', ')}`
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined'))
    return `is required (${issue.expected})`
  return issue.message
}
