import type { ProblemLog } from '../messages/model-messages.ts'
import type { SqlPartSpec } from '../shapes/tree.ts'

type State = 'code' | 'text' | 'name' | 'line comment' | 'comment'

/** What ends each state but code. */
const ends: Readonly<Record<Exclude<State, 'code'>, RegExp>> = {
  text: /'/g,
  name: /["`]/g,
  'line comment': /\n/g,
  comment: /\*\//g,
}
const begins = /'|["`]|--|\/\*/g
const opened: Readonly<Record<string, State>> = {
  "'": 'text',
  '"': 'name',
  '`': 'name',
  '--': 'line comment',
  '/*': 'comment',
}

/** The state at the end of a piece of SQL that begins in `state`. A doubled quote ends and begins its state again. */
function stateAfter(sql: string, state: State): State {
  let current = state
  let index = 0
  for (;;) {
    const pattern = current === 'code' ? begins : ends[current]
    pattern.lastIndex = index
    const found = pattern.exec(sql)
    if (!found) return current
    index = found.index + found[0].length
    current = current === 'code' ? (opened[found[0]] ?? 'code') : 'code'
  }
}

/**
 * Settles where values of the caller's context stand: `value` in SQL itself, `text` inside a quoted string, `name` inside or
 * beside an identifier. All else that depends on the query can stand in SQL itself alone, because values are parameters,
 * and in quotes or a comment a parameter is no parameter.
 */
export function placed(parts: readonly SqlPartSpec[], of: string, log: ProblemLog): readonly SqlPartSpec[] {
  if (parts.every(part => typeof part === 'string' || part.kind === 'reference')) return parts
  let state: State = 'code'
  return parts.flatMap((part, index): SqlPartSpec[] => {
    if (typeof part === 'string') {
      state = stateAfter(part, state)
      return [part]
    }
    if (part.kind === 'reference') return [part]
    const isUnsafe = part.kind === 'securityContext' && part.use === 'unsafeValue'
    if (state === 'code') return [isUnsafe && isBesideName(parts, index) ? { ...part, place: 'name' } : part]
    // Databases differ in whether a backslash before a quote ends the string.
    const isClear = parts.every(other => typeof other !== 'string' || !/\\['"`]/.test(other))
    if (isUnsafe && isClear && (state === 'text' || state === 'name')) return [{ ...part, place: state }]
    log.report(part.at, 'context_place', { of })
    return []
  })
}

function isBesideName(parts: readonly SqlPartSpec[], index: number): boolean {
  const before = parts[index - 1]
  const after = parts[index + 1]
  return (
    (typeof before === 'string' && /([\w.]|\b(from|join|into|table)\s+)$/i.test(before)) ||
    (typeof after === 'string' && /^[\w.]/.test(after))
  )
}
