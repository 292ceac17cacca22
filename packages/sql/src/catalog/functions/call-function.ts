import type { FuncCall } from 'libpg-query'
import { CatalogError, notSupported } from '../catalog-error.ts'
import { writeValue } from '../evaluate/cast.ts'
import { coerce, settle, shown } from '../evaluate/coerce.ts'
import { type Expression, type ExpressionCompiler, namesOf } from '../evaluate/expression.ts'
import type { Frame } from '../evaluate/run.ts'
import { arrayOf, elementOf } from '../values/types.ts'
import { isArray, type Value } from '../values/value.ts'
import { aggregates } from './aggregates.ts'
import { callAggregate } from './call-aggregate.ts'
import { callWindow } from './call-window.ts'
import { catalogFunctions } from './catalog-functions.ts'
import type { FunctionDefinition } from './definitions.ts'
import { matchArguments } from './match-arguments.ts'
import { findRowsCall } from './rows-of-function.ts'

const schemas = new Set(['pg_catalog', 'information_schema'])

/** Understands a call. Only what stands in the tables of functions can be called. @throws {CatalogError} 42883 */
export function callFunction(compile: ExpressionCompiler, node: FuncCall): Expression {
  const [name = '', schema] = namesOf(node.funcname).toReversed()
  if (schema !== undefined && !schemas.has(schema)) throw unknown(name, [], node.location)
  if (node.over) return callWindow(compile, name, node)
  if (aggregates.has(name) || name === 'array_agg') return callAggregate(compile, name, node)
  if (node.agg_distinct || node.agg_order || node.agg_filter || node.func_variadic)
    throw notSupported(`this call of ${name}`, node.location)
  const given = (node.args ?? []).map(compile)
  return (
    callList(compile, name, given) ??
    callRows(compile, name, given) ??
    callScalar(compile, name, given) ??
    raise(unknown(name, given, node.location))
  )
}

const raise = (error: Error): never => {
  throw error
}

const unknown = (name: string, given: readonly Expression[], location?: number) =>
  new CatalogError(
    '42883',
    `function ${name}(${given.map(({ type }) => shown(type)).join(', ')}) does not exist`,
    location,
  )

function callScalar(
  { compiler }: ExpressionCompiler,
  name: string,
  given: readonly Expression[],
): Expression | undefined {
  const { view } = compiler
  for (const definition of byName.get(name) ?? []) {
    const parts = matchArguments(compiler, definition.takes, given)
    if (!parts) continue
    const types = parts.map(({ type }) => type)
    const { run, onNull } = definition
    return {
      type: resultType(definition, types),
      name,
      run: frame => {
        const values = parts.map(part => part.run(frame))
        return !onNull && values.includes(null) ? null : run(values, { view, run: frame.run, types })
      },
    }
  }
  return undefined
}

const byName = Map.groupBy(catalogFunctions, ({ name }) => name)

function resultType({ gives }: FunctionDefinition, [first = 'text']: readonly string[]): string {
  if (gives === 'same') return first
  if (gives === 'element') return elementOf(first)
  return gives === 'listOf' ? arrayOf(first) : gives
}

/** Functions whose text depends on the type of the elements. */
function callList(
  { compiler }: ExpressionCompiler,
  name: string,
  given: readonly Expression[],
): Expression | undefined {
  if (name !== 'array_to_string') return undefined
  const [list, by, forNull] = given
  if (!list || !by) return undefined
  const [separator, nullText] = [coerce(compiler, by, 'text'), forNull && coerce(compiler, forNull, 'text')]
  const items = settle(compiler, list)
  return {
    type: 'text',
    name,
    run: (frame: Frame) => {
      const [values, between] = [items.run(frame), separator.run(frame)]
      if (!isArray(values) || between === null) return null
      const shownNull = nullText?.run(frame) ?? null
      const texts = values.map((value: Value) =>
        value === null ? shownNull : writeValue(compiler.view, elementOf(items.type), value),
      )
      const text = texts.filter(each => each !== null).join(String(between))
      frame.run.spend(text.length / 10)
      return text
    },
  }
}

/** In the list of what is selected, a function that gives rows makes a row of each of its values. */
function callRows(compile: ExpressionCompiler, name: string, given: readonly Expression[]): Expression | undefined {
  const call = findRowsCall(compile, name, given)
  if (!call) return undefined
  const { setFunctions } = compile.collectors
  if (!setFunctions) throw new CatalogError('0A000', 'set-returning functions are not allowed here')
  const [only] = call.columns
  const isSingle = call.columns.length === 1 && only !== undefined
  const row = { names: call.columns.map(column => column.name), types: call.columns.map(column => column.type) }
  const appended = {
    index: -1,
    compute: (frame: Frame) =>
      call.rows(frame).map((values): Value => (isSingle ? (values[0] ?? null) : { ...row, values })),
  }
  setFunctions.push(appended)
  const read = (frame: Frame) => frame.row[appended.index] ?? null
  return isSingle ? { type: only.type, name, run: read } : { type: 'record', name, row, run: read }
}
