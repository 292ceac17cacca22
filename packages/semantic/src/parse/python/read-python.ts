import type { ProblemLog } from '../../messages/model-messages.ts'
import type { SourceFile } from '../../shapes/source.ts'
import { firstStatement, globalsPath, pythonNames } from './python-globals.ts'

/**
 * Says what a Python file holds that has no effect. What a template uses of it is a problem there; a name that no template
 * uses does no harm.
 */
export function readPython(file: SourceFile, log: ProblemLog): void {
  const names = file.path === globalsPath ? pythonNames(file.path, file.content) : []
  for (const { kind, name, line, column } of names) {
    log.warn({ file: file.path, line, column }, 'python_not_run', { what: `The ${kind} '${name}' of templates` })
  }
  const statement = names.length === 0 ? firstStatement(file.content) : null
  if (statement) log.warn({ file: file.path, ...statement }, 'python_not_run', { what: 'This Python code' })
}
