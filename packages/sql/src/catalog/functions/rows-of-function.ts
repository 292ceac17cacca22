import type { Node } from 'libpg-query'
import { CatalogError } from '../catalog-error.ts'
import { shown } from '../evaluate/coerce.ts'
import { type Expression, type ExpressionCompiler, namesOf } from '../evaluate/expression.ts'
import type { Frame } from '../evaluate/run.ts'
import type { Value } from '../values/value.ts'
import { matchArguments } from './match-arguments.ts'
import { rowFunctions } from './row-functions.ts'

/** A call of a function that gives rows. */
export interface RowsCall {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  rows(frame: Frame): readonly (readonly Value[])[]
}

/** Understands a function in FROM; one that gives a single value gives one row. @throws {CatalogError} 42883 */
export function rowsOfFunction(compile: ExpressionCompiler, node: Node): RowsCall {
  if ('FuncCall' in node) {
    const name = namesOf(node.FuncCall.funcname).at(-1) ?? ''
    const given = (node.FuncCall.args ?? []).map(compile)
    const call = findRowsCall(compile, name, given)
    if (call) return call
  }
  const expression = compile(node)
  const name = expression.name ?? 'value'
  return { name, columns: [{ name, type: expression.type }], rows: frame => [[expression.run(frame)]] }
}

/** @returns undefined where no function of this name gives rows. */
export function findRowsCall(
  { compiler }: ExpressionCompiler,
  name: string,
  given: readonly Expression[],
): RowsCall | undefined {
  const candidates = rowFunctions.filter(each => each.name === name)
  for (const candidate of candidates) {
    const parts = matchArguments(compiler, candidate.takes, given)
    if (!parts) continue
    const types = parts.map(({ type }) => type)
    const { names, types: columnTypes } = candidate.columns(types)
    const { view } = compiler
    return {
      name,
      columns: names.map((column, index) => ({ name: column, type: columnTypes[index] ?? 'text' })),
      rows: frame => {
        const values = parts.map(({ run }) => run(frame))
        return values.includes(null) ? [] : candidate.run(values, { view, run: frame.run, types })
      },
    }
  }
  if (candidates.length === 0) return undefined
  throw new CatalogError('42883', `function ${name}(${given.map(({ type }) => shown(type)).join(', ')}) does not exist`)
}
