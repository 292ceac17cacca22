import type { ProblemLog } from '../../messages/model-messages.ts'
import type { CheckAuth } from '../../shapes/model.ts'
import type { Position, SourceFile } from '../../shapes/source.ts'
import { readSyntax } from '../javascript/read-syntax.ts'
import { reportSyntax } from '../javascript/report-failure.ts'
import { childrenOf, isNode, type SyntaxNode } from '../javascript/syntax-node.ts'
import { withoutComments } from '../python/python-globals.ts'
import { insteadOfOption } from './config-options.ts'
import { configScript } from './config-script.ts'

/** The configuration file of the field's own server, at the root of a project. */
export const isConfigFile = (path: string) => path === 'cube.js' || path === 'cube.py'

interface Option {
  readonly name: string
  readonly offset: number
}

const option = 'checkAuth'
/** The one package that `checkAuth` has. */
const jsonWebTokens = 'jsonwebtoken'

/**
 * Says of each option that it has no effect here, and what to do instead; but for `checkAuth` of a `cube.js`, which is given back. Nothing
 * of the file is run.
 */
export function readConfig(file: SourceFile, log: ProblemLog): CheckAuth | null {
  if (file.path.endsWith('.py')) {
    tell(file, pythonOptions(file.content), log)
    return null
  }
  const mentions = new RegExp(`\\b${option}\\b`).test(file.content)
  const read = readSyntax(file.content)
  if (read.kind === 'problem') {
    // Whoever wrote who may ask is not to be let down by a slip of the pen: nothing is built.
    if (mentions) reportSyntax(file, read.problem, log)
    else tell(file, [{ name: 'cube.js', offset: read.problem.offset }], log)
    return null
  }
  const options = javascriptOptions(read.root)
  tell(
    file,
    options.filter(({ name }) => name !== option),
    log,
  )
  const isNamed = options.some(({ name }) => name === option)
  const cannotBeTold = options.some(({ name }) => name === untold)
  if (!isNamed && !(mentions && cannotBeTold)) return null
  for (const { name, offset } of packagesOf(read.root)) {
    if (name !== jsonWebTokens) log.warn(positionOf(file, offset), 'check_auth_package', { name })
  }
  const script = configScript(file.content, read.root)
  if (script !== null) return { file: file.path, script }
  log.report(positionOf(file, 0), 'check_auth_export', {})
  return null
}

function tell(file: SourceFile, options: readonly Option[], log: ProblemLog): void {
  for (const { name, offset } of options) {
    log.warn(positionOf(file, offset), 'config_option', { name, instead: insteadOfOption(name) })
  }
}

function positionOf({ path, content }: SourceFile, offset: number): Position {
  const before = content.slice(0, offset).split('\n')
  return { file: path, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

/** What `import` and `require` name, where they name it by a text. */
function packagesOf(node: SyntaxNode): readonly Option[] {
  const { callee } = node
  const isCall = isNode(callee) && callee.type === 'Identifier' && callee.name === 'require'
  const [given] = isCall && Array.isArray(node.arguments) ? node.arguments : [node.source]
  const own = isNode(given) && typeof given.value === 'string' ? [{ name: given.value, offset: node.start }] : []
  return [...own, ...childrenOf(node).flatMap(packagesOf)]
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

/** What exports something that only running it would tell. */
const untold = 'module.exports'

/** `module.exports = { … }`, `module.exports.x = …`, `exports.x = …` and `export default { … }`. */
function javascriptOptions(root: SyntaxNode): readonly Option[] {
  return childrenOf(root).flatMap(statement => {
    if (statement.type === 'ExportDefaultDeclaration') return keysOf(statement.declaration)
    if (statement.type.startsWith('Export')) return exportedNames(statement)
    const assignment = statement.expression
    if (!isNode(assignment) || assignment.type !== 'AssignmentExpression') return []
    const target = pathOf(assignment.left).replace(/^module\./, '')
    if (target === 'exports') return keysOf(assignment.right)
    const [root, name] = target.split('.')
    return root === 'exports' && name ? [{ name, offset: statement.start }] : []
  })
}

/** `export const x`, `export function x` and `export { x }`. */
function exportedNames(statement: SyntaxNode): readonly Option[] {
  const { declaration, specifiers } = statement
  const named = isNode(declaration) ? [declaration, ...childrenOf(declaration)].map(({ id }) => id) : []
  const listed = Array.isArray(specifiers) ? specifiers.filter(isNode).map(({ exported }) => exported) : []
  return [...named, ...listed].flatMap(node =>
    isNode(node) && typeof node.name === 'string' ? [{ name: node.name, offset: statement.start }] : [],
  )
}

const pathOf = (node: unknown): string => {
  if (!isNode(node)) return ''
  if (node.type === 'Identifier' && typeof node.name === 'string') return node.name
  return node.type === 'MemberExpression' ? `${pathOf(node.object)}.${pathOf(node.property)}` : ''
}

function keysOf(node: unknown): readonly Option[] {
  if (!isNode(node)) return []
  if (node.type !== 'ObjectExpression') return [{ name: untold, offset: node.start }]
  return childrenOf(node).flatMap((property: SyntaxNode) => {
    if (property.type === 'SpreadElement') return [{ name: untold, offset: property.start }]
    const name = isNode(property.key) ? (property.key.name ?? property.key.value) : undefined
    return typeof name === 'string' ? [{ name, offset: property.start }] : []
  })
}
