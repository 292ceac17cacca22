import type { ProblemLog } from '../messages/model-messages.ts'
import type { Position } from '../shapes/source.ts'
import type { ReferenceSpec, SqlSpec } from '../shapes/tree.ts'

const referencePattern = /^\s*([_a-zA-Z]\w*(?:\s*\.\s*[_a-zA-Z]\w*)*?)\s*(\.\s*sql\s*\(\s*\))?\s*$/

/** Names that stand for something else than a cube or a member, all of them later work. */
const contextNames = new Set([
  'FILTER_PARAMS',
  'FILTER_GROUP',
  'SQL_UTILS',
  'COMPILE_CONTEXT',
  'SECURITY_CONTEXT',
  'USER_CONTEXT',
  'security_context',
])

/**
 * Splits SQL at its references. Braces hold `CUBE`, a name or a path of names, or `cube.sql()`; `${…}` is the same;
 * `\{` and `\}` are literal braces. `locate` tells where a piece of the text stands in the file.
 */
export function parseSql(
  text: string,
  at: Position,
  of: string,
  locate: (raw: string) => Position,
  log: ProblemLog,
): SqlSpec {
  if (!/[{}]/.test(text)) return { parts: text === '' ? [] : [text], at }
  const parts: (string | ReferenceSpec)[] = []
  let literal = ''
  let index = 0
  while (index < text.length) {
    const char = text[index] ?? ''
    const next = text[index + 1]
    if (char === '\\' && (next === '{' || next === '}')) {
      literal += next
      index += 2
    } else if (char === '{' || (char === '$' && next === '{')) {
      const open = char === '{' ? index : index + 1
      const close = text.indexOf('}', open)
      if (close === -1) {
        log.report(locate('{'), 'brace_unmatched', { brace: '{' })
        return { parts: [text], at }
      }
      const expression = text.slice(open + 1, close)
      const reference = parseReference(expression, locate(`{${expression}}`), of, log)
      if (reference) {
        if (literal) parts.push(literal)
        literal = ''
        parts.push(reference)
      }
      index = close + 1
    } else if (char === '}') {
      log.report(locate('}'), 'brace_unmatched', { brace: '}' })
      index += 1
    } else {
      literal += char
      index += 1
    }
  }
  if (literal) parts.push(literal)
  return { parts, at }
}

function parseReference(expression: string, at: Position, of: string, log: ProblemLog): ReferenceSpec | null {
  const [, names, call] = referencePattern.exec(expression) ?? []
  const path = names?.split('.').map(name => name.trim())
  const context = /^\s*(\w+)/.exec(expression)?.[1]
  if (context && contextNames.has(context)) {
    log.report(at, 'unsupported', { construct: context, of })
    return null
  }
  if (!path) {
    log.report(at, 'python_expression', { expression })
    return null
  }
  return { path, call: call ? 'sql' : null, at }
}
