import { helperName, prefix, suffix } from './program-frame.ts'
import { applyEdits, type Edit, type ProgramText } from './program-text.ts'
import { readSyntax, type SyntaxProblem } from './read-syntax.ts'
import { childrenOf, isNode, type SyntaxNode, textField } from './syntax-node.ts'

/** Where the parts of a list or map literal stand in its file. Keys that are computed are not in it. */
export interface LiteralPlace {
  readonly start: number
  readonly entries: ReadonlyMap<string, { readonly key: number; readonly start: number; readonly end: number }>
}

export type Rewritten =
  | { readonly kind: 'program'; readonly program: ProgramText; readonly literals: readonly LiteralPlace[] }
  | { readonly kind: 'problem'; readonly problem: SyntaxProblem }

/** Deeper than anybody writes, and less than makes the sandbox's own reader run out of stack. */
const depthLimit = 200

const comparisons: readonly string[] = ['===', '!==', '==', '!=', '<', '<=', '>', '>=']

class Problem extends Error {
  readonly problem: SyntaxProblem
  constructor(problem: SyntaxProblem) {
    super(problem.code)
    this.problem = problem
  }
}

/**
 * Makes a model file a program for the sandbox: each list or map literal says where it stands, `import` and `export` become
 * calls, what is compared or decided upon is checked to be no reference, and the `if` of a policy's condition is kept as text.
 *
 * @param firstLiteral the number of the first literal; those of one evaluation must differ
 */
export function rewriteProgram(source: string, firstLiteral: number): Rewritten {
  try {
    const edits: Edit[] = [
      { start: 0, end: 0, text: prefix, order: Number.NEGATIVE_INFINITY },
      { start: source.length, end: source.length, text: suffix, order: Number.POSITIVE_INFINITY },
    ]
    const literals: LiteralPlace[] = []
    const read = readSyntax(source)
    if (read.kind === 'problem') return read
    rewriteNode(read.root, { source, edits, literals, firstLiteral }, [])
    return { kind: 'program', program: applyEdits(source, edits), literals }
  } catch (error) {
    if (error instanceof Problem) return { kind: 'problem', problem: error.problem }
    if (error instanceof RangeError) {
      return { kind: 'problem', problem: { code: 'js_too_deep', detail: '', offset: 0 } }
    }
    throw error
  }
}

interface Work {
  readonly source: string
  readonly edits: Edit[]
  readonly literals: LiteralPlace[]
  readonly firstLiteral: number
}

function rewriteNode(node: SyntaxNode, work: Work, ancestors: readonly SyntaxNode[]): void {
  if (ancestors.length > depthLimit) throw new Problem({ code: 'js_too_deep', detail: '', offset: node.start })
  if (isCondition(node, ancestors)) {
    const value = childOf(node, 'value')
    if (value && !/Function|Literal$/.test(value.type)) {
      keepAsText(value, work)
      return
    }
  }
  const rewrite = rewrites[node.type]
  if (rewrite?.(node, work) === 'done') return
  const inner = [...ancestors, node]
  for (const child of childrenOf(node)) rewriteNode(child, work, inner)
}

const childOf = (node: SyntaxNode, name: string): SyntaxNode | null => {
  const value = node[name]
  return isNode(value) ? value : null
}
const listOf = (node: SyntaxNode, name: string): readonly SyntaxNode[] => {
  const value = node[name]
  return Array.isArray(value) ? value.filter(isNode) : []
}

/** Wraps; what stands further out comes first at the beginning and last at the end. */
function wrap(node: SyntaxNode, before: string, after: string, { edits }: Work): void {
  edits.push({ start: node.start, end: node.start, text: before, order: 1_000_000_000 - node.end })
  edits.push({ start: node.end, end: node.end, text: after, order: -1_000_000_000 - node.start })
}

const checkPlain = (node: SyntaxNode | null, work: Work) => {
  if (node && !/Literal$/.test(node.type)) wrap(node, `${helperName}.plain(`, ')', work)
}

function replace(node: SyntaxNode, text: string, { source, edits }: Work): 'done' {
  const lines = source.slice(node.start, node.end).split('\n').length - 1
  edits.push({ start: node.start, end: node.end, text: text + '\n'.repeat(lines), order: 0 })
  return 'done'
}

const refuse = (code: SyntaxProblem['code'], detail: string, { start }: SyntaxNode): never => {
  throw new Problem({ code, detail, offset: start })
}

const checked =
  (...names: readonly string[]) =>
  (node: SyntaxNode, work: Work): void => {
    for (const name of names) checkPlain(childOf(node, name), work)
  }

const rewrites: Readonly<Record<string, (node: SyntaxNode, work: Work) => unknown>> = {
  ObjectExpression: (node, work) => markLiteral(node, mapEntries(node), work),
  ArrayExpression: (node, work) => markLiteral(node, listEntries(node), work),
  BinaryExpression(node, work) {
    if (comparisons.includes(textField(node, 'operator'))) checked('left', 'right')(node, work)
  },
  UnaryExpression(node, work) {
    if (textField(node, 'operator') === '!') checked('argument')(node, work)
  },
  LogicalExpression: checked('left'),
  ConditionalExpression: checked('test'),
  IfStatement: checked('test'),
  WhileStatement: checked('test'),
  DoWhileStatement: checked('test'),
  ForStatement: checked('test'),
  SwitchStatement: checked('discriminant'),
  SwitchCase: checked('test'),
  ImportDeclaration: rewriteImport,
  ExportNamedDeclaration: rewriteExport,
  ExportDefaultDeclaration: rewriteDefaultExport,
  ExportAllDeclaration(node, work) {
    const from = childOf(node, 'source')
    const exported = childOf(node, 'exported')
    if (exported) return refuse('js_unsupported', 'export * as', node)
    return replace(node, `${helperName}.exportAll(${helperName}.all(${sourceText(from, work)}));`, work)
  },
  ImportExpression: node => refuse('js_unsupported', 'import()', node),
  MetaProperty(node) {
    if (childOf(node, 'meta')?.name === 'import') refuse('js_unsupported', 'import.meta', node)
  },
  CallExpression(node) {
    if (childOf(node, 'callee')?.type === 'Import') refuse('js_unsupported', 'import()', node)
  },
  ClassExpression: linkClass,
  ClassDeclaration: linkClass,
  WithStatement: node => refuse('js_unsupported', 'with', node),
}

function linkClass(node: SyntaxNode, work: Work): void {
  const base = childOf(node, 'superClass')
  if (base) wrap(base, `${helperName}.base(`, ')', work)
}

function markLiteral(node: SyntaxNode, entries: LiteralPlace['entries'], work: Work): void {
  const id = work.firstLiteral + work.literals.length
  work.literals.push({ start: node.start, entries })
  wrap(node, `${helperName}.at(${id},`, ')', work)
}

function mapEntries(node: SyntaxNode): LiteralPlace['entries'] {
  const entries = new Map<string, { key: number; start: number; end: number }>()
  for (const property of listOf(node, 'properties')) {
    const key = childOf(property, 'key')
    const name = key && property.computed !== true ? keyName(key) : null
    if (!key || name === null) continue
    const kind = textField(property, 'kind')
    if (entries.has(name) && kind !== 'get' && kind !== 'set') refuse('js_duplicate', name, key)
    const value = childOf(property, 'value') ?? property
    entries.set(name, { key: key.start, start: value.start, end: value.end })
  }
  return entries
}

function listEntries(node: SyntaxNode): LiteralPlace['entries'] {
  const elements = node.elements
  const entries = new Map<string, { key: number; start: number; end: number }>()
  for (const [index, element] of (Array.isArray(elements) ? elements : []).entries()) {
    if (!isNode(element)) continue
    if (element.type === 'SpreadElement') break
    entries.set(String(index), { key: element.start, start: element.start, end: element.end })
  }
  return entries
}

function keyName(key: SyntaxNode): string | null {
  if (key.type === 'Identifier') return textField(key, 'name')
  return typeof key.value === 'string' || typeof key.value === 'number' ? String(key.value) : null
}

/** `if` of an item of `conditions`: it is answered for each caller, so it can't be worked out here. */
function isCondition(node: SyntaxNode, ancestors: readonly SyntaxNode[]): boolean {
  const key = node.type === 'ObjectProperty' ? childOf(node, 'key') : null
  if (!key || keyName(key) !== 'if') return false
  const list = ancestors.at(-3)
  const listKey = list?.type === 'ObjectProperty' ? childOf(list, 'key') : null
  return listKey !== null && keyName(listKey) === 'conditions'
}

function keepAsText(value: SyntaxNode, work: Work): void {
  const text = JSON.stringify(work.source.slice(value.start, value.end))
  replace(value, `${helperName}.later(${text})`, work)
}

const sourceText = (node: SyntaxNode | null, { source }: Work) => (node ? source.slice(node.start, node.end) : "''")

function rewriteImport(node: SyntaxNode, work: Work): 'done' {
  const from = sourceText(childOf(node, 'source'), work)
  const specifiers = listOf(node, 'specifiers')
  if (specifiers.length === 0) return replace(node, `${helperName}.require(${from});`, work)
  const parts = specifiers.map(specifier => {
    const local = textField(childOf(specifier, 'local') ?? specifier, 'name')
    if (specifier.type === 'ImportNamespaceSpecifier') return `${local}=${helperName}.all(${from})`
    const imported = childOf(specifier, 'imported')
    const name = imported ? (keyName(imported) ?? 'default') : 'default'
    return `${local}=${helperName}.import(${from},${JSON.stringify(name)})`
  })
  return replace(node, `const ${parts.join(',')};`, work)
}

function rewriteExport(node: SyntaxNode, work: Work): 'done' | undefined {
  const declaration = childOf(node, 'declaration')
  const from = childOf(node, 'source')
  if (declaration) {
    work.edits.push({ start: node.start, end: declaration.start, text: '', order: 0 })
    const names = declaredNames(declaration)
    const exports = names.map(name => `${helperName}.export(${JSON.stringify(name)},${name});`).join('')
    exportAt(declaration, node.end, exports, work)
    return
  }
  const parts = listOf(node, 'specifiers').map(specifier => {
    const exported = childOf(specifier, 'exported')
    const local = childOf(specifier, 'local')
    if (!exported || !local) return refuse('js_unsupported', 'export * as', node)
    const name = JSON.stringify(keyName(exported) ?? '')
    const localName = keyName(local) ?? ''
    const value = from ? `${helperName}.import(${sourceText(from, work)},${JSON.stringify(localName)})` : localName
    return `${helperName}.export(${name},${value});`
  })
  return replace(node, `;${parts.join('')}`, work)
}

/** Functions are there from the beginning of a file, for files that import each other. */
function exportAt(declaration: SyntaxNode, end: number, exports: string, { edits }: Work): void {
  if (declaration.type === 'FunctionDeclaration') edits.push({ start: 0, end: 0, text: exports, order: -2_000_000_000 })
  else edits.push({ start: end, end, text: `;${exports}`, order: 0 })
}

function rewriteDefaultExport(node: SyntaxNode, work: Work): void {
  const declaration = childOf(node, 'declaration')
  if (!declaration) return
  const name = /Declaration$/.test(declaration.type) ? childOf(declaration, 'id') : null
  if (name) {
    const text = textField(name, 'name')
    work.edits.push({ start: node.start, end: declaration.start, text: '', order: 0 })
    exportAt(declaration, node.end, `${helperName}.export("default",${text});`, work)
    return
  }
  work.edits.push({
    start: node.start,
    end: declaration.start,
    text: `${helperName}.export("default",(`,
    order: 0,
  })
  work.edits.push({ start: declaration.end, end: declaration.end, text: '));', order: 1_000_000_000 })
}

function declaredNames(node: SyntaxNode): readonly string[] {
  if (node.type !== 'VariableDeclaration') {
    const id = childOf(node, 'id')
    return id ? [textField(id, 'name')] : []
  }
  return listOf(node, 'declarations').flatMap(({ id }) => (isNode(id) ? boundNames(id) : []))
}

function boundNames(pattern: SyntaxNode): readonly string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [textField(pattern, 'name')]
    case 'ObjectProperty':
      return namesIn(pattern, 'value')
    case 'AssignmentPattern':
      return namesIn(pattern, 'left')
    case 'RestElement':
      return namesIn(pattern, 'argument')
    default:
      return [...listOf(pattern, 'properties'), ...listOf(pattern, 'elements')].flatMap(boundNames)
  }
}

const namesIn = (node: SyntaxNode, name: string): readonly string[] => {
  const child = childOf(node, name)
  return child ? boundNames(child) : []
}
