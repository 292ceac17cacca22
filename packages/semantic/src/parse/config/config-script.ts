import { applyEdits, type Edit } from '../javascript/program-text.ts'
import { childrenOf, isNode, type SyntaxNode, textField } from '../javascript/syntax-node.ts'

/**
 * A configuration file as a script in CommonJS, on the lines of its author: `import` becomes `require`, `export default` becomes
 * `module.exports`.
 *
 * @returns null where it exports in another way
 */
export function configScript(source: string, root: SyntaxNode): string | null {
  const edits: Edit[] = []
  for (const statement of childrenOf(root)) {
    if (statement.type === 'ImportDeclaration') {
      const lines = source.slice(statement.start, statement.end).split('\n').length - 1
      const text = requireFor(statement) + '\n'.repeat(lines)
      edits.push({ start: statement.start, end: statement.end, text, order: 0 })
    } else if (statement.type === 'ExportDefaultDeclaration' && isNode(statement.declaration)) {
      edits.push({ start: statement.start, end: statement.declaration.start, text: 'module.exports = ', order: 0 })
    } else if (statement.type.startsWith('Export')) {
      return null
    }
  }
  return applyEdits(source, edits).text
}

function requireFor({ source, specifiers }: SyntaxNode): string {
  const path = JSON.stringify(isNode(source) ? textField(source, 'value') : '')
  const parts = (Array.isArray(specifiers) ? specifiers.filter(isNode) : []).map(specifier => {
    const { imported, local } = specifier
    const name = isNode(local) ? textField(local, 'name') : ''
    if (specifier.type !== 'ImportSpecifier' || !isNode(imported)) return `const ${name} = require(${path});`
    return `const ${name} = require(${path})[${JSON.stringify(textField(imported, 'name') || textField(imported, 'value'))}];`
  })
  return parts.length === 0 ? `require(${path});` : parts.join(' ')
}
