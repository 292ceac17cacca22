import type { ProblemLog } from '../../messages/model-messages.ts'
import type { Position, SourceFile } from '../../shapes/source.ts'
import type { JavaScriptFailure } from './javascript-engine.ts'
import type { SyntaxProblem } from './read-syntax.ts'
import { insteadOf } from './sandbox-names.ts'

export function reportSyntax(file: SourceFile, { code, detail, offset }: SyntaxProblem, log: ProblemLog): void {
  const before = file.content.slice(0, offset).split('\n')
  const at = { file: file.path, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
  if (code === 'js_syntax') log.report(at, code, { reason: detail })
  else if (code === 'js_too_deep') log.report(at, code, {})
  else if (code === 'js_duplicate') log.report(at, code, { key: detail })
  else log.report(at, code, { syntax: detail })
}

/** Says why a model file could not be run. What is wrong with a file that it imports was said there. */
export function reportFailure({ code, detail }: JavaScriptFailure, at: Position, log: ProblemLog): void {
  switch (code) {
    case 'compile_context':
    case 'js_endless':
    case 'js_engine_restarts':
    case 'js_too_deep':
    case 'js_too_large':
    case 'js_waits':
      log.report(at, code, {})
      break
    case 'js_argument':
    case 'js_value':
      log.report(at, code, { what: detail })
      break
    case 'js_definition':
      log.report(at, code, { call: detail })
      break
    case 'js_parameter':
      log.report(at, code, { parameter: detail })
      break
    case 'js_call':
    case 'js_reference':
    case 'js_undeclared':
      log.report(at, code, { name: detail })
      break
    case 'js_unavailable':
      log.report(at, code, { name: detail, instead: insteadOf(detail) })
      break
    case 'js_import_missing':
    case 'js_import_package':
    case 'js_import_restricted':
    case 'js_import_ambiguous':
    case 'js_import_circle':
      log.report(at, code, { path: detail })
      break
    case 'js_import_name': {
      const [path = '', name = ''] = detail.split('\uE002')
      log.report(at, code, { path, name })
      break
    }
    case 'js_import':
      log.report(at, 'js_import_restricted', { path: detail })
      break
    case 'js_import_broken':
      break
    default:
      log.report(at, 'js_threw', { reason: detail.slice(0, 500) })
  }
}
