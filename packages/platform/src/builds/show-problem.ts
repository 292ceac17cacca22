import type { ValidationResponse } from '@hedron/contract'
import type { ModelProblem } from '@hedron/semantic'

/** A problem of a model as the API shows it: with its place in words and as numbers; of no file where it is of the whole. */
export function showProblem({ code, message, file, line, column }: ModelProblem): ValidationResponse['errors'][number] {
  if (file === '') return { message, fileName: null, line: null, column: null, code }
  return { message: `line ${line}, column ${column}: ${message}`, fileName: file, line, column, code }
}
