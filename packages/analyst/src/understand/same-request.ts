import { tokenize } from '../words/tokens.ts'
import { isContent } from './spans.ts'

const longest = 2_000

/** Whether two questions use the same words that matter, in whatever order and form. */
export function isSameRequest(one: string, other: string): boolean {
  if (one.length > longest || other.length > longest) return false
  const [left, right] = [wordsOf(one), wordsOf(other)]
  return left.size > 0 && left.size === right.size && [...left].every(word => right.has(word))
}

/** Words such as `not` matter here whatever they are elsewhere. */
const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(tokenize(text).flatMap(token => (isContent(token) ? [token.stem] : [])))
