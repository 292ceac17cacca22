import { parse } from '@babel/parser'
import { isNode, type SyntaxNode } from './syntax-node.ts'

export interface SyntaxProblem {
  readonly code: 'js_syntax' | 'js_too_deep' | 'js_unsupported' | 'js_duplicate'
  readonly detail: string
  readonly offset: number
}

export type ReadSyntax =
  | { readonly kind: 'syntax'; readonly root: SyntaxNode }
  | { readonly kind: 'problem'; readonly problem: SyntaxProblem }

/** Reads JavaScript: a module where it imports or exports, and a script otherwise. */
export function readSyntax(source: string): ReadSyntax {
  try {
    const root: unknown = parse(source, {
      sourceType: 'unambiguous',
      createParenthesizedExpressions: true,
      attachComment: false,
    }).program
    if (!isNode(root)) throw new Error('The parser of JavaScript gave no tree.')
    return { kind: 'syntax', root }
  } catch (error) {
    if (error instanceof RangeError) return { kind: 'problem', problem: { code: 'js_too_deep', detail: '', offset: 0 } }
    if (!(error instanceof SyntaxError)) throw error
    const offset = 'pos' in error && typeof error.pos === 'number' ? error.pos : 0
    const detail = error.message.replace(/ \(\d+:\d+\)$/, '')
    return { kind: 'problem', problem: { code: 'js_syntax', detail, offset } }
  }
}
