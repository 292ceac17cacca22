import type { ProblemLog } from '../../messages/model-messages.ts'
import type { SourceFile } from '../../shapes/source.ts'
import { readSyntax } from '../javascript/read-syntax.ts'
import { childrenOf, isNode, type SyntaxNode } from '../javascript/syntax-node.ts'
import { withoutComments } from '../python/python-globals.ts'
import { insteadOfOption } from './config-options.ts'

/** The configuration file of the field's own server, at the root of a project. */
export const isConfigFile = (path: string) => path === 'cube.js' || path === 'cube.py'

interface Option {
  readonly name: string
  readonly offset: number
}

/** Says of each option that it has no effect here, and what to do instead. Nothing of the file is run. */
export function readConfig(file: SourceFile, log: ProblemLog): void {
  const options = file.path.endsWith('.py') ? pythonOptions(file.content) : javascriptOptions(file.content)
  for (const { name, offset } of options) {
    const before = file.content.slice(0, offset).split('\n')
    const at = { file: file.path, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
    log.warn(at, 'config_option', { name, instead: insteadOfOption(name) })
  }
}

function pythonOptions(content: string): readonly Option[] {
  const code = withoutComments(content)
  return [
    ...code.matchAll(/^[ \t]*config\s*\.\s*(\w+)\s*=(?!=)/gm),
    ...code.matchAll(/^[ \t]*@\s*config\s*\(\s*["'](\w+)["']/gm),
  ]
    .map(({ 0: written, 1: name = '', index }) => ({ name, offset: index + (/^\s*/.exec(written)?.[0].length ?? 0) }))
    .sort((left, right) => left.offset - right.offset)
}

/** `module.exports = { … }`, `module.exports.x = …`, `exports.x = …` and `export default { … }`. */
function javascriptOptions(content: string): readonly Option[] {
  const read = readSyntax(content)
  if (read.kind === 'problem') return [{ name: 'cube.js', offset: read.problem.offset }]
  return childrenOf(read.root).flatMap(statement => {
    if (statement.type === 'ExportDefaultDeclaration') return keysOf(statement.declaration)
    const assignment = statement.expression
    if (!isNode(assignment) || assignment.type !== 'AssignmentExpression') return []
    const target = pathOf(assignment.left).replace(/^module\./, '')
    if (target === 'exports') return keysOf(assignment.right)
    const [root, name] = target.split('.')
    return root === 'exports' && name ? [{ name, offset: statement.start }] : []
  })
}

const pathOf = (node: unknown): string => {
  if (!isNode(node)) return ''
  if (node.type === 'Identifier' && typeof node.name === 'string') return node.name
  return node.type === 'MemberExpression' ? `${pathOf(node.object)}.${pathOf(node.property)}` : ''
}

function keysOf(node: unknown): readonly Option[] {
  if (!isNode(node)) return []
  if (node.type !== 'ObjectExpression') return [{ name: 'module.exports', offset: node.start }]
  return childrenOf(node).flatMap((property: SyntaxNode) => {
    const name = isNode(property.key) ? (property.key.name ?? property.key.value) : undefined
    return typeof name === 'string' ? [{ name, offset: property.start }] : []
  })
}
