import { type Comparison, type ContextExpression, type ContextMethod, contextMethods } from '../shapes/access.ts'

/** Why a text is no expression that is understood. `unknown` is the name that stands for nothing. */
export interface ExpressionProblem {
  readonly reason: string
  readonly unknown?: string
}

interface Token {
  readonly kind: 'name' | 'number' | 'text' | 'sign' | 'end'
  readonly text: string
}

const tokenPattern =
  /\s*(?:([_a-zA-Z]\w*)|(\d+(?:\.\d+)?)|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(===|!==|==|!=|<=|>=|&&|\|\||\?\.|[<>!().,[\]-]))/y

/** The same in the two languages that models are written in. */
const spellings: Readonly<Record<string, string>> = {
  '===': '==',
  '!==': '!=',
  '&&': 'and',
  '||': 'or',
  '!': 'not',
  '?.': '.',
}

const constants: Readonly<Record<string, string | number | boolean | null>> = {
  True: true,
  true: true,
  False: false,
  false: false,
  None: null,
  null: null,
  undefined: null,
}

const roots: Readonly<Record<string, 'securityContext' | 'userAttributes' | 'groups'>> = {
  securityContext: 'securityContext',
  security_context: 'securityContext',
  userAttributes: 'userAttributes',
  user_attributes: 'userAttributes',
  groups: 'groups',
}

/** Python's names for methods. */
const pythonMethods: Readonly<Record<string, ContextMethod>> = {
  startswith: 'startsWith',
  endswith: 'endsWith',
  lower: 'toLowerCase',
  upper: 'toUpperCase',
  strip: 'trim',
}

const simpleComparisons: readonly string[] = ['==', '!=', '<', '<=', '>', '>=']
const depthLimit = 64
const lengthLimit = 4_000

class NotUnderstood extends Error {
  readonly problem: ExpressionProblem
  constructor(problem: ExpressionProblem) {
    super(problem.reason)
    this.problem = problem
  }
}

const fail = (reason: string): never => {
  throw new NotUnderstood({ reason })
}

/**
 * Reads an expression over `securityContext`, `userAttributes` and `groups`: a subset of Python (`and`, `or`, `not`, comparisons,
 * `in`, `x if c else y`), with JavaScript's signs for the same. Nothing of it is ever run as code.
 */
export function parseContextExpression(text: string): ContextExpression | ExpressionProblem {
  try {
    if (text.length > lengthLimit) return { reason: `it is longer than ${lengthLimit} characters` }
    const tokens = tokensOf(text)
    const { expression, next } = readChoice(tokens, 0, 0)
    const rest = tokens[next]
    if (rest && rest.kind !== 'end') fail(`'${rest.text}' is not expected`)
    return expression
  } catch (error) {
    if (error instanceof NotUnderstood) return error.problem
    throw error
  }
}

export const isExpression = (read: ContextExpression | ExpressionProblem): read is ContextExpression => 'kind' in read

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  const end = text.trimEnd().length
  tokenPattern.lastIndex = 0
  while (tokenPattern.lastIndex < end) {
    const start = tokenPattern.lastIndex
    const match = tokenPattern.exec(text)
    if (!match) return fail(`'${text.slice(start).trim()[0]}' is not expected`)
    const [, name, number, double, single, sign] = match
    const quoted = double ?? single
    if (name !== undefined) tokens.push({ kind: 'name', text: name })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted.replace(/\\(.)/g, '$1') })
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: spellings[sign] ?? sign })
  }
  tokens.push({ kind: 'end', text: 'the end' })
  return tokens
}

interface Read {
  readonly expression: ContextExpression
  readonly next: number
}

type Reader = (tokens: readonly Token[], at: number, depth: number) => Read

const isWord = (token: Token | undefined, word: string) =>
  token !== undefined && token.text === word && (token.kind === 'name' || token.kind === 'sign')

function expect(tokens: readonly Token[], at: number, word: string): number {
  const token = tokens[at]
  return isWord(token, word) ? at + 1 : fail(`'${word}' is expected before ${token?.text ?? 'the end'}`)
}

const readChoice: Reader = (tokens, at, depth) => {
  if (depth > depthLimit) return fail(`it is nested more than ${depthLimit} deep`)
  const value = readOr(tokens, at, depth + 1)
  if (!isWord(tokens[value.next], 'if')) return value
  const condition = readOr(tokens, value.next + 1, depth + 1)
  const otherwise = readChoice(tokens, expect(tokens, condition.next, 'else'), depth + 1)
  return {
    expression: {
      kind: 'choice',
      condition: condition.expression,
      value: value.expression,
      otherwise: otherwise.expression,
    },
    next: otherwise.next,
  }
}

const chain =
  (word: 'and' | 'or', inner: Reader): Reader =>
  (tokens, at, depth) => {
    let { expression: left, next } = inner(tokens, at, depth)
    while (isWord(tokens[next], word)) {
      const right = inner(tokens, next + 1, depth)
      left = { kind: word, left, right: right.expression }
      next = right.next
    }
    return { expression: left, next }
  }

const readNot: Reader = (tokens, at, depth) => {
  if (!isWord(tokens[at], 'not')) return readComparison(tokens, at, depth)
  if (depth > depthLimit) return fail(`it is nested more than ${depthLimit} deep`)
  const { expression: operand, next } = readNot(tokens, at + 1, depth + 1)
  return { expression: { kind: 'not', operand }, next }
}

const readAnd = chain('and', readNot)
const readOr = chain('or', readAnd)

const readComparison: Reader = (tokens, at, depth) => {
  const left = readUnary(tokens, at, depth)
  const found = comparisonAt(tokens, left.next)
  if (!found) return left
  const right = readUnary(tokens, found.next, depth)
  if (comparisonAt(tokens, right.next)) return fail('comparisons can not follow one another; join two with and')
  return {
    expression: {
      kind: 'compare',
      operator: found.operator,
      left: left.expression,
      right: right.expression,
    },
    next: right.next,
  }
}

function comparisonAt(tokens: readonly Token[], at: number): { operator: Comparison; next: number } | null {
  const token = tokens[at]
  const isNegated = isWord(token, 'not') && isWord(tokens[at + 1], 'in')
  if (isNegated) return { operator: 'not in', next: at + 2 }
  if (isWord(token, 'in')) return { operator: 'in', next: at + 1 }
  if (isWord(token, 'is')) {
    return isWord(tokens[at + 1], 'not') ? { operator: '!=', next: at + 2 } : { operator: '==', next: at + 1 }
  }
  if (token?.kind !== 'sign' || !simpleComparisons.includes(token.text)) return null
  return { operator: operatorOf(token.text), next: at + 1 }
}

function operatorOf(text: string): Comparison {
  switch (text) {
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return text
    default:
      return '=='
  }
}

const readUnary: Reader = (tokens, at, depth) => {
  const number = tokens[at + 1]
  if (isWord(tokens[at], '-') && number?.kind === 'number') {
    return { expression: { kind: 'literal', value: -Number(number.text) }, next: at + 2 }
  }
  let { expression, next } = readAtom(tokens, at, depth)
  for (;;) {
    if (isWord(tokens[next], '[')) {
      const key = readChoice(tokens, next + 1, depth + 1)
      expression = { kind: 'item', of: expression, key: key.expression }
      next = expect(tokens, key.next, ']')
    } else if (isWord(tokens[next], '.')) {
      const name = tokens[next + 1]
      if (name?.kind !== 'name') return fail("a name is expected after '.'")
      next += 2
      if (!isWord(tokens[next], '(')) {
        expression = { kind: 'property', of: expression, name: propertyName(name.text) }
        continue
      }
      const { items, next: after } = readItems(tokens, next + 1, ')', depth)
      expression = call(expression, name.text, items)
      next = after
    } else return { expression, next }
  }
}

/** The platform's own claim has one spelling, whichever the author chose. */
const propertyName = (name: string) => (name === 'user_attributes' ? 'userAttributes' : name)

function call(of: ContextExpression, name: string, items: readonly ContextExpression[]): ContextExpression {
  if (name === 'get') {
    const [key] = items
    return key && items.length === 1
      ? { kind: 'item', of, key }
      : fail("'get' takes one key; write 'x.get(key) or y' for another value where there is none")
  }
  const method =
    (Object.hasOwn(pythonMethods, name) ? pythonMethods[name] : undefined) ??
    contextMethods.find(known => known === name)
  if (!method) return fail(`'${name}' can not be called. Known: ${[...contextMethods, 'get'].join(', ')}`)
  return { kind: 'call', of, method, arguments: items }
}

function readItems(tokens: readonly Token[], at: number, end: string, depth: number) {
  const items: ContextExpression[] = []
  let next = at
  while (!isWord(tokens[next], end)) {
    const item = readChoice(tokens, next, depth + 1)
    items.push(item.expression)
    next = isWord(tokens[item.next], ',') ? item.next + 1 : item.next
    if (next === item.next && !isWord(tokens[next], end)) return fail(`'${end}' is expected`)
  }
  return { items, next: next + 1 }
}

const readAtom: Reader = (tokens, at, depth) => {
  const token = tokens[at]
  if (token?.kind === 'number') return { expression: { kind: 'literal', value: Number(token.text) }, next: at + 1 }
  if (token?.kind === 'text') return { expression: { kind: 'literal', value: token.text }, next: at + 1 }
  if (isWord(token, '(')) {
    const inner = readChoice(tokens, at + 1, depth + 1)
    return { expression: inner.expression, next: expect(tokens, inner.next, ')') }
  }
  if (isWord(token, '[')) {
    const { items, next } = readItems(tokens, at + 1, ']', depth)
    return { expression: { kind: 'list', items }, next }
  }
  if (token?.kind !== 'name') return fail(`a value is expected before ${token?.text ?? 'the end'}`)
  if (Object.hasOwn(constants, token.text)) {
    return { expression: { kind: 'literal', value: constants[token.text] ?? null }, next: at + 1 }
  }
  const root = Object.hasOwn(roots, token.text) ? roots[token.text] : undefined
  if (!root) throw new NotUnderstood({ reason: `'${token.text}' is not known here`, unknown: token.text })
  return { expression: { kind: 'context', root }, next: at + 1 }
}
