import type { Node } from 'libpg-query'
import { CatalogError } from '../catalog-error.ts'
import type { CatalogView } from '../catalog-view.ts'
import type { Value } from '../values/value.ts'
import type { Frame } from './run.ts'
import type { Relation, RowShape, Scope } from './scope.ts'

/** An expression that was understood: its PostgreSQL type and how to compute it. */
export interface Expression {
  readonly type: string
  readonly run: (frame: Frame) => Value
  readonly row?: RowShape | undefined
  /** Text of a literal whose type its surroundings decide. */
  readonly literal?: string | null
  /** Number of a parameter whose type its surroundings decide. */
  readonly parameter?: number
  /** It stands for a function that gives a list, in the list of what is selected. */
  readonly name?: string
}

/** Expressions whose values are appended to each row before it is selected from: aggregates, windows, functions that give rows. */
export interface Appended {
  /** Where the value stands in the row. */
  index: number
}

export interface Aggregate extends Appended {
  compute(frames: readonly Frame[]): Value
}
export interface WindowValue extends Appended {
  compute(frames: readonly Frame[]): readonly Value[]
}
export interface SetFunction extends Appended {
  compute(frame: Frame): readonly Value[]
}

/** What expressions of one query level may hold beside names and operators. */
export interface Collectors {
  readonly aggregates: Aggregate[] | null
  readonly windows: WindowValue[] | null
  readonly setFunctions: SetFunction[] | null
}

export const noCollectors: Collectors = { aggregates: null, windows: null, setFunctions: null }

/** What is known while a statement is understood. */
export interface Compiler {
  readonly view: CatalogView
  /** Types of `$1`, `$2`, …; undefined until something decides. */
  readonly parameterTypes: (string | undefined)[]
  /** @param scope around, or null. */
  select(node: Node, outer: Scope | null): Relation
}

export const undefinedColumn = (name: string, location?: number) =>
  new CatalogError('42703', `column "${name}" does not exist`, location)

/** The text of a node of kind String. */
export function stringOf(node: Node | undefined): string {
  return node && 'String' in node ? (node.String.sval ?? '') : ''
}

export const namesOf = (nodes: readonly Node[] | undefined): string[] => (nodes ?? []).map(stringOf)

/** Understands expressions of one query level. */
export interface ExpressionCompiler {
  readonly compiler: Compiler
  readonly scope: Scope
  readonly collectors: Collectors
  /** The same level without aggregates and what else is appended to its rows. */
  plain(): ExpressionCompiler
  (node: Node | undefined): Expression
}
