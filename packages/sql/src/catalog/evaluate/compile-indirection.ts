import type { Node } from 'libpg-query'
import { CatalogError, notSupported } from '../catalog-error.ts'
import { elementOf, isArrayType, isVector } from '../values/types.ts'
import { isArray, isRow } from '../values/value.ts'
import { coerce } from './coerce.ts'
import { type Expression, type ExpressionCompiler, stringOf, undefinedColumn } from './expression.ts'

/** What stands behind an expression: subscripts of arrays and fields of rows. */
export function compileIndirection(
  compile: ExpressionCompiler,
  arg: Node | undefined,
  steps: readonly Node[],
): Expression {
  return steps.reduce<Expression>((inner, step) => {
    if ('A_Indices' in step) return subscript(compile, inner, step.A_Indices)
    if ('String' in step) return field(inner, stringOf(step))
    throw notSupported('.* of an expression here')
  }, compile(arg))
}

function subscript(
  compile: ExpressionCompiler,
  list: Expression,
  { is_slice, lidx, uidx }: { is_slice?: boolean; lidx?: Node; uidx?: Node },
): Expression {
  if (!isArrayType(list.type)) throw new CatalogError('42804', 'cannot subscript a value that is no array')
  const base = isVector(list.type) ? 0 : 1
  const bound = (node: Node | undefined) => node && coerce(compile.compiler, compile(node), 'int4')
  const [low, high] = [bound(lidx), bound(uidx)]
  if (is_slice) {
    return {
      type: list.type,
      run: frame => {
        const values = list.run(frame)
        if (!isArray(values)) return null
        return values.slice(
          Math.max(0, Number(low?.run(frame) ?? base) - base),
          Number(high?.run(frame) ?? values.length) - base + 1,
        )
      },
    }
  }
  return {
    type: elementOf(list.type),
    ...(list.name === undefined ? {} : { name: list.name }),
    run: frame => {
      const [values, index] = [list.run(frame), high?.run(frame) ?? null]
      return isArray(values) && typeof index === 'number' ? (values[index - base] ?? null) : null
    },
  }
}

/** A field of a row. @throws {CatalogError} 42703 */
export function field(inner: Expression, name: string): Expression {
  const index = inner.row?.names.indexOf(name) ?? -1
  const type = inner.row?.types[index]
  if (type === undefined) throw undefinedColumn(name)
  return {
    type,
    name,
    run: frame => {
      const value = inner.run(frame)
      return isRow(value) ? (value.values[index] ?? null) : null
    },
  }
}
