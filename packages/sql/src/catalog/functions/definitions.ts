import type { CatalogView } from '../catalog-view.ts'
import type { Run } from '../evaluate/run.ts'
import type { RowShape } from '../evaluate/scope.ts'
import type { Value } from '../values/value.ts'

/** What a function can see beside its arguments. */
export interface FunctionContext {
  readonly view: CatalogView
  readonly run: Run
  /** Types of the arguments. */
  readonly types: readonly string[]
}

export interface FunctionDefinition {
  readonly name: string
  /** Types of the arguments; `any` takes each, `list` an array, and a last one that ends in `...` any number of them. */
  readonly takes: readonly string[]
  /** `same`: the type of the first argument; `element`: of its elements; `listOf`: an array of it. */
  readonly gives: string
  /** Called with NULL too; else NULL gives NULL. */
  readonly onNull: boolean
  readonly run: (values: readonly Value[], context: FunctionContext) => Value
}

/** A function that gives rows. */
export interface RowsDefinition {
  readonly name: string
  readonly takes: readonly string[]
  readonly columns: (types: readonly string[]) => RowShape
  readonly run: (values: readonly Value[], context: FunctionContext) => readonly (readonly Value[])[]
}

/** @param signature such as `left(text, int4) text`; a `?` before it: called with NULL too. */
export function define(signature: string, run: FunctionDefinition['run']): FunctionDefinition {
  const match = /^(\??)(\w+)\((.*)\) (\S+)$/.exec(signature)
  if (!match) throw new Error(`not a signature: ${signature}`)
  const [, mark, name = '', takes = '', gives = ''] = match
  return { name, takes: takes === '' ? [] : takes.split(', '), gives, onNull: mark === '?', run }
}
