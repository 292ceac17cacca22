import type { ProblemLog } from '../messages/model-messages.ts'
import type { Position } from '../shapes/source.ts'
import type { SqlPartSpec, SqlSpec } from '../shapes/tree.ts'
import { partsOf } from './context-reference.ts'
import { type PythonExpression, readPythonExpression } from './python-expression.ts'
import { placed } from './sql-places.ts'

/** Whether SQL refers to nothing, as most does: no braces are in it, and nothing that is reported. */
export const isPlainSql = (text: string): boolean => !text.includes('{') && !text.includes('}') && !text.includes('\0')

/**
 * Splits SQL at its references. Braces hold `CUBE`, a name or a path of names, `cube.sql()`, or a context variable such as
 * `FILTER_PARAMS`; `${…}` is the same; `\{` and `\}` are literal braces. `locate` tells where a piece of the text stands in
 * the file.
 */
export function parseSql(
  text: string,
  at: Position,
  of: string,
  locate: (raw: string) => Position,
  log: ProblemLog,
): SqlSpec {
  if (text.includes('\0')) log.report(at, 'sql_nul', { of })
  if (!/[{}]/.test(text)) return { parts: text === '' ? [] : [text], at }
  const parts: SqlPartSpec[] = []
  let literal = ''
  let index = 0
  while (index < text.length) {
    const special = nextSpecial(text, index)
    if (special > index) {
      literal += text.slice(index, special)
      index = special
      continue
    }
    const char = text[index] ?? ''
    const next = text[index + 1]
    if (char === '\\' && (next === '{' || next === '}')) {
      literal += next
      index += 2
    } else if (char === '{' || (char === '$' && next === '{')) {
      const open = char === '{' ? index : index + 1
      const { close, read } = readBraces(text, open)
      if (close === -1) {
        log.report(locate('{'), 'brace_unmatched', { brace: '{' })
        return { parts: [text], at }
      }
      const expression = text.slice(open + 1, close)
      const place = { text: text.slice(0, close), of, at: locate(`{${expression}}`), log }
      if (!read) log.report(place.at, 'python_expression', { expression })
      for (const part of read ? partsOf(read, place) : []) {
        if (typeof part === 'string') {
          literal += part
          continue
        }
        if (literal) parts.push(literal)
        literal = ''
        parts.push(part)
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
  return { parts: placed(parts, of, log), at }
}

const specialPattern = /[\\{}$]/g

/** The next place from `from` on that may be more than a letter; the end where there is none. */
function nextSpecial(text: string, from: number): number {
  specialPattern.lastIndex = from
  return specialPattern.test(text) ? specialPattern.lastIndex - 1 : text.length
}

/** What nearly all braces hold. */
const simplePath = /\{([_a-zA-Z]\w*(?:\.[_a-zA-Z]\w*)*)\}/y

/** The expression in braces and where they close; without an expression, at the next closing brace, -1 where there is none. */
function readBraces(text: string, open: number): { close: number; read: PythonExpression | null } {
  simplePath.lastIndex = open
  const [all = '', names] = simplePath.exec(text) ?? []
  if (names !== undefined)
    return { close: open + all.length - 1, read: { kind: 'path', names: names.split('.'), start: open + 1 } }
  const found = readPythonExpression(text, open + 1)
  const after = found ? found.end + (/^\s*/.exec(text.slice(found.end))?.[0].length ?? 0) : -1
  if (found && text[after] === '}') return { close: after, read: found.expression }
  return { close: text.indexOf('}', open), read: null }
}
