import type { ModelProblem } from '@hedron/semantic'

/** The first problem with its place, for one line of text; undefined where there is none. */
export function describeProblems(problems: readonly ModelProblem[]): string | undefined {
  const [first, ...rest] = problems
  if (first === undefined) return undefined
  const place = first.file === '' ? '' : `${first.file}:${first.line}:${first.column} `
  const more = rest.length === 0 ? '' : ` (and ${rest.length} more ${rest.length === 1 ? 'problem' : 'problems'})`
  return `${place}${first.message}${more}`
}
