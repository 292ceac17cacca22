import { CatalogError } from '../catalog-error.ts'
import { elementOf, isArrayType, isNumeric, isTextual, typeByName, writeType } from '../values/types.ts'
import type { Value } from '../values/value.ts'
import { castValue, readValue } from './cast.ts'
import type { Compiler, Expression } from './expression.ts'

/** An expression as a value of a type: what has no type of its own takes it. */
export function coerce(compiler: Compiler, expression: Expression, type: string): Expression {
  const { view } = compiler
  if (expression.type === type || type === 'any') return settle(compiler, expression)
  const { parameter } = expression
  if (parameter !== undefined) {
    compiler.parameterTypes[parameter - 1] ??= type
    return castTo(compiler, readParameter(compiler, parameter), type)
  }
  if (expression.literal !== undefined) {
    const { literal } = expression
    if (literal === null) return { type, run: () => null }
    // Names of relations are looked up when the statement runs: what is not there then is an error of that row.
    const value: { known?: Value } = {}
    const run = () => {
      value.known ??= readValue(view, type, literal)
      return value.known
    }
    return { type, run }
  }
  return castTo(compiler, expression, type)
}

function castTo({ view }: Compiler, expression: Expression, type: string): Expression {
  if (expression.type === type) return expression
  const { run, type: from } = expression
  return { type, run: frame => castValue(view, from, type, run(frame)) }
}

/** What nothing gave a type is text. */
export function settle(compiler: Compiler, expression: Expression): Expression {
  return expression.type === 'unknown' ? coerce(compiler, expression, 'text') : expression
}

function readParameter({ view, parameterTypes }: Compiler, number: number): Expression {
  const type = parameterTypes[number - 1] ?? 'text'
  return {
    type,
    run: ({ run }) => {
      const text = run.parameters[number - 1]
      if (text === undefined) throw new CatalogError('08P01', `there is no parameter $${number}`)
      return text === null ? null : readValue(view, type, text)
    },
  }
}

const numericOrder = ['int2', 'int4', 'int8', 'oid', 'numeric', 'float4', 'float8']

/** Texts of a fixed length, which become any other text. */
const weak: ReadonlySet<string> = new Set(['name', 'char'])

/** The type that values of both have in common. @throws {CatalogError} 42804 */
export function commonType(left: string, right: string, where: string, location?: number): string {
  if (left === right || right === 'unknown') return left
  if (left === 'unknown') return right
  if (isNumeric(left) && isNumeric(right)) {
    const order = [left, right].map(type => numericOrder.indexOf(type))
    return numericOrder[Math.max(...order)] ?? 'oid'
  }
  if (isTextual(left) && isTextual(right)) {
    if (weak.has(left)) return weak.has(right) ? 'text' : right
    return left
  }
  if (isArrayType(left) && isArrayType(right)) {
    const element = commonType(elementOf(left), elementOf(right), where, location)
    return typeByName(element)?.array ?? left
  }
  if (left.startsWith('timestamp') && right === 'date') return left
  if (right.startsWith('timestamp') && left === 'date') return right
  if (left.startsWith('timestamp') && right.startsWith('timestamp')) return 'timestamptz'
  throw new CatalogError('42804', `${where} types ${shown(left)} and ${shown(right)} cannot be matched`, location)
}

export const shown = (name: string): string => writeType(typeByName(name)?.oid ?? 0, null)
