import { CatalogError } from '../catalog-error.ts'
import { likePattern, type Matcher, regularExpression } from '../values/pattern.ts'
import { arrayOf, elementOf, isArrayType, isNumeric, isTextual } from '../values/types.ts'
import { compareValues, isArray, keyOf, type Value } from '../values/value.ts'
import { coerce, commonType, shown } from './coerce.ts'
import type { Compiler, Expression } from './expression.ts'
import type { Frame } from './run.ts'

export type BinaryRun = (left: Value, right: Value, frame: Frame) => Value

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  '=': order => order === 0,
  '<>': order => order !== 0,
  '!=': order => order !== 0,
  '<': order => order < 0,
  '>': order => order > 0,
  '<=': order => order <= 0,
  '>=': order => order >= 0,
}
const patterns: Readonly<
  Record<string, { readonly like: boolean; readonly fold: boolean; readonly negated: boolean }>
> = {
  '~': { like: false, fold: false, negated: false },
  '~*': { like: false, fold: true, negated: false },
  '!~': { like: false, fold: false, negated: true },
  '!~*': { like: false, fold: true, negated: true },
  '~~': { like: true, fold: false, negated: false },
  '~~*': { like: true, fold: true, negated: false },
  '!~~': { like: true, fold: false, negated: true },
  '!~~*': { like: true, fold: true, negated: true },
}
const integerTypes = new Set(['int2', 'int4', 'int8', 'oid'])

/** Both sides as one type. */
export function unify(compiler: Compiler, left: Expression, right: Expression, location?: number) {
  if (left.type === right.type && left.type !== 'unknown') return { type: left.type, left, right }
  const type = commonType(left.type, right.type, 'operator', location)
  const common = type === 'unknown' ? 'text' : type
  return { type: common, left: coerce(compiler, left, common), right: coerce(compiler, right, common) }
}

/** An operator over two expressions. @throws {CatalogError} 42883 where there is none. */
export function binary(
  compiler: Compiler,
  operator: string,
  leftSide: Expression,
  rightSide: Expression,
  location?: number,
): Expression {
  const comparison = comparisons[operator]
  const missing = () =>
    new CatalogError(
      '42883',
      `operator does not exist: ${shown(leftSide.type)} ${operator} ${shown(rightSide.type)}`,
      location,
    )
  if (comparison) {
    const { left, right } = unify(compiler, leftSide, rightSide, location)
    return strict('bool', left, right, (a, b) => comparison(compareValues(a, b)))
  }
  const pattern = patterns[operator]
  if (pattern) return matching(compiler, pattern, leftSide, rightSide)
  if (operator === '||') return concatenate(compiler, leftSide, rightSide)
  if (operator === '@>' || operator === '<@' || operator === '&&') {
    const { left, right, type } = unify(compiler, leftSide, rightSide, location)
    if (!isArrayType(type)) throw missing()
    return strict('bool', left, right, (a, b) => compareSets(operator, a, b))
  }
  if (['+', '-', '*', '/', '%', '&', '|'].includes(operator)) {
    const { left, right, type } = unify(compiler, leftSide, rightSide, location)
    if (!isNumeric(type) || type === 'numeric') throw missing()
    return strict(type, left, right, (a, b) => arithmetic(operator, type, Number(a), Number(b)))
  }
  throw missing()
}

function strict(type: string, left: Expression, right: Expression, run: BinaryRun): Expression {
  const [readLeft, readRight] = [left.run, right.run]
  return {
    type,
    run: frame => {
      const a = readLeft(frame)
      if (a === null) return null
      const b = readRight(frame)
      return b === null ? null : run(a, b, frame)
    },
  }
}

function matching(
  compiler: Compiler,
  { like, fold, negated }: { readonly like: boolean; readonly fold: boolean; readonly negated: boolean },
  leftSide: Expression,
  rightSide: Expression,
): Expression {
  const [left, right] = [coerce(compiler, leftSide, 'text'), coerce(compiler, rightSide, 'text')]
  const known = new Map<string, Matcher>()
  return strict('bool', left, right, (text, pattern, { run }) => {
    const source = String(pattern)
    let matcher = known.get(source)
    if (!matcher) {
      matcher = like ? likePattern(source, fold) : regularExpression(source, fold)
      if (known.size < 100) known.set(source, matcher)
    }
    run.spend(1 + (String(text).length * source.length) / 20)
    return matcher(String(text)) !== negated
  })
}

function concatenate(compiler: Compiler, leftSide: Expression, rightSide: Expression): Expression {
  if (isArrayType(leftSide.type) || isArrayType(rightSide.type)) {
    const type = isArrayType(leftSide.type) ? leftSide.type : rightSide.type
    const [left, right] = [leftSide, rightSide].map(side =>
      coerce(
        compiler,
        side,
        isArrayType(side.type) || side.type === 'unknown' ? arrayOf(elementOf(type)) : elementOf(type),
      ),
    )
    if (!left || !right) throw new Error('an operator without sides')
    const listOf = (value: Value): readonly Value[] => (isArray(value) ? value : value === null ? [] : [value])
    return {
      type: arrayOf(elementOf(type)),
      run: frame => {
        const joined = [...listOf(left.run(frame)), ...listOf(right.run(frame))]
        frame.run.spend(joined.length)
        return joined
      },
    }
  }
  if (![leftSide, rightSide].some(({ type }) => isTextual(type))) {
    throw new CatalogError('42883', `operator does not exist: ${shown(leftSide.type)} || ${shown(rightSide.type)}`)
  }
  return strict('text', coerce(compiler, leftSide, 'text'), coerce(compiler, rightSide, 'text'), (a, b, { run }) => {
    const text = `${a}${b}`
    run.spend(text.length / 10)
    return text
  })
}

function compareSets(operator: string, left: Value, right: Value): boolean {
  if (!isArray(left) || !isArray(right)) return false
  const [outer, inner] = operator === '<@' ? [right, left] : [left, right]
  const keys = new Set(outer.filter(value => value !== null).map(keyOf))
  return operator === '&&' ? inner.some(value => keys.has(keyOf(value))) : inner.every(value => keys.has(keyOf(value)))
}

function arithmetic(operator: string, type: string, left: number, right: number): number {
  const whole = integerTypes.has(type)
  if ((operator === '/' || operator === '%') && right === 0) throw new CatalogError('22012', 'division by zero')
  const operations: Readonly<Record<string, () => number>> = {
    '+': () => left + right,
    '-': () => left - right,
    '*': () => left * right,
    '/': () => (whole ? Math.trunc(left / right) : left / right),
    '%': () => left % right,
    '&': () => Number(BigInt(left) & BigInt(right)),
    '|': () => Number(BigInt(left) | BigInt(right)),
  }
  const result = operations[operator]?.()
  if (result === undefined) throw new Error(`no such operator: ${operator}`)
  const limit = { int2: 32_767, int4: 2_147_483_647, oid: 4_294_967_295 }[type] ?? Number.MAX_SAFE_INTEGER
  if (whole && Math.abs(result) > limit) throw new CatalogError('22003', `${shown(type)} out of range`)
  return result
}

/** `operand OP ANY (list)` and ALL, with PostgreSQL's three truths. */
export function quantified(values: readonly Value[], all: boolean, test: (value: Value) => Value): Value {
  let unknown = false
  for (const value of values) {
    const truth = test(value)
    if (truth === null) unknown = true
    else if (truth !== all) return !all
  }
  return unknown ? null : all
}
