/** A node of the syntax tree, as far as all of them are alike. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  typeof value.type === 'string' &&
  'start' in value &&
  typeof value.start === 'number' &&
  'end' in value &&
  typeof value.end === 'number'

export const textField = (node: SyntaxNode, name: string): string => {
  const value = node[name]
  return typeof value === 'string' ? value : ''
}

export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = []
  for (const [name, value] of Object.entries(node)) {
    // Tokens of a template repeat the text of the node that holds them.
    if (name === 'loc' || name === 'extra' || name === 'tokens') continue
    if (isNode(value)) children.push(value)
    else if (Array.isArray(value)) children.push(...value.filter(isNode))
  }
  return children
}
