/** An expression in braces: the part of Python that models are written in. `start` counts from the beginning of the text. */
export type PythonExpression =
  /** `a.b.c`. */
  | { readonly kind: 'path'; readonly names: readonly string[]; readonly start: number }
  | {
      readonly kind: 'call'
      /** Of what is called, which is a path. */
      readonly names: readonly string[]
      readonly values: readonly PythonExpression[]
      readonly start: number
    }
  | { readonly kind: 'text'; readonly value: string; readonly start: number }
  | { readonly kind: 'format'; readonly parts: readonly (string | PythonExpression)[]; readonly start: number }
  | {
      readonly kind: 'lambda'
      readonly parameters: readonly string[]
      readonly body: PythonExpression
      readonly start: number
    }

/** Nothing that a person writes is nested as deep, and a reader that calls itself needs a bound. */
const depthLimit = 32

class SyntaxProblem extends Error {}

/**
 * Reads the expression that begins at `start`, and where it ends. `null` where this is not an expression of names and
 * paths, calls of them, strings, f-strings and lambdas. Spaces after it may belong to it.
 */
export function readPythonExpression(
  text: string,
  start: number,
): { readonly expression: PythonExpression; readonly end: number } | null {
  let index = start

  const skipSpace = () => {
    while (/\s/.test(text[index] ?? '')) index += 1
  }
  const take = (token: string): boolean => {
    skipSpace()
    if (!text.startsWith(token, index)) return false
    index += token.length
    return true
  }
  const expect = (token: string) => {
    if (!take(token)) throw new SyntaxProblem()
  }
  const takeWord = (): string | null => {
    skipSpace()
    const pattern = /[_a-zA-Z]\w*/y
    pattern.lastIndex = index
    const word = pattern.exec(text)?.[0]
    if (word === undefined) return null
    index += word.length
    return word
  }

  const readExpression = (depth: number): PythonExpression => {
    if (depth > depthLimit) throw new SyntaxProblem()
    skipSpace()
    const begin = index
    const word = takeWord()
    if (word === 'lambda') return readLambda(begin, depth)
    const quote = text[index]
    if (word !== null && /^[fF]$/.test(word) && (quote === "'" || quote === '"')) return readFormat(begin, quote, depth)
    if (word === null && (quote === "'" || quote === '"')) return readText(begin, quote)
    if (word === null) throw new SyntaxProblem()
    const names = [word]
    while (take('.')) {
      const name = takeWord()
      if (name === null) throw new SyntaxProblem()
      names.push(name)
    }
    if (take('(')) return { kind: 'call', names, values: readValues(depth), start: begin }
    return { kind: 'path', names, start: begin }
  }
  const readValues = (depth: number): PythonExpression[] => {
    const values: PythonExpression[] = []
    while (!take(')')) {
      if (values.length > 0) expect(',')
      if (take(')')) break
      values.push(readExpression(depth + 1))
    }
    return values
  }
  const readLambda = (begin: number, depth: number): PythonExpression => {
    const parameters: string[] = []
    while (!take(':')) {
      if (parameters.length > 0) expect(',')
      const name = takeWord()
      if (name === null) throw new SyntaxProblem()
      parameters.push(name)
    }
    return { kind: 'lambda', parameters, body: readExpression(depth + 1), start: begin }
  }
  /** The character at `index`, with escapes replaced; moves behind it. */
  const takeCharacter = (): string => {
    const character = text[index]
    if (character === undefined) throw new SyntaxProblem()
    const next = text[index + 1] ?? ''
    const isEscape = character === '\\' && /['"\\{}]/.test(next)
    index += isEscape ? 2 : 1
    return isEscape ? next : character
  }
  const readText = (begin: number, quote: string): PythonExpression => {
    index += 1
    let value = ''
    while (text[index] !== quote) value += takeCharacter()
    index += 1
    return { kind: 'text', value, start: begin }
  }
  const readFormat = (begin: number, quote: string, depth: number): PythonExpression => {
    index += 1
    const parts: (string | PythonExpression)[] = []
    let literal = ''
    while (text[index] !== quote) {
      if (text[index] !== '{' || text[index + 1] === '{') {
        // Python writes a literal brace twice.
        if ((text[index] === '{' || text[index] === '}') && text[index + 1] === text[index]) index += 1
        literal += takeCharacter()
        continue
      }
      index += 1
      if (literal) parts.push(literal)
      literal = ''
      parts.push(readExpression(depth + 1))
      expect('}')
    }
    index += 1
    if (literal) parts.push(literal)
    return { kind: 'format', parts, start: begin }
  }

  try {
    const expression = readExpression(0)
    return { expression, end: index }
  } catch (error) {
    if (error instanceof SyntaxProblem) return null
    throw error
  }
}
