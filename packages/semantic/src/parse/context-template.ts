import type { ContextExpression } from '../shapes/access.ts'
import { isExpression, parseContextExpression } from './context-expression.ts'
import type { Place } from './fields.ts'
import { isScalar, type ModelSource, type SourceNode } from './source-node.ts'

/**
 * Splits text at the expressions over the caller's context that stand in braces. `\{` and `\}` are literal braces.
 * `undefined` when one can't be understood, which is reported where it stands.
 */
export function readTemplate(
  text: string,
  node: SourceNode,
  { of }: Place,
  source: ModelSource,
): readonly (string | ContextExpression)[] | undefined {
  const locate = isScalar(node) ? source.locator(node) : () => source.at(node)
  const parts: (string | ContextExpression)[] = []
  let literal = ''
  let isSound = true
  let index = 0
  while (index < text.length) {
    const char = text[index] ?? ''
    const next = text[index + 1]
    if (char === '\\' && (next === '{' || next === '}')) {
      literal += next
      index += 2
    } else if (char === '{') {
      const close = closingBrace(text, index + 1)
      if (close === -1) {
        source.log.report(locate('{'), 'brace_unmatched', { brace: '{' })
        return undefined
      }
      const written = text.slice(index + 1, close)
      const read = parseContextExpression(written)
      if (isExpression(read)) {
        if (literal) parts.push(literal)
        literal = ''
        parts.push(read)
      } else {
        isSound = false
        const at = locate(written.trim())
        if (read.unknown === undefined) {
          source.log.report(at, 'policy_expression', { expression: written, reason: read.reason })
        } else {
          const name = of.replace(/^.*?(?:cube|view) '|'$/g, '')
          source.log.report(at, 'policy_reference', { name: read.unknown, source: name })
        }
      }
      index = close + 1
    } else if (char === '}') {
      source.log.report(locate('}'), 'brace_unmatched', { brace: '}' })
      return undefined
    } else {
      literal += char
      index += 1
    }
  }
  if (literal || parts.length === 0) parts.push(literal)
  return isSound ? parts : undefined
}

/** The brace that ends an expression: one that stands in quotes is part of it. */
function closingBrace(text: string, from: number): number {
  let quote: string | null = null
  for (let index = from; index < text.length; index++) {
    const char = text[index]
    if (quote !== null) {
      if (char === '\\') index += 1
      else if (char === quote) quote = null
    } else if (char === '"' || char === "'") quote = char
    else if (char === '}') return index
  }
  return -1
}
