import type { Node } from 'libpg-query'
import { SqlError, unsupported } from '../messages/sql-error.ts'
import type { Expression, Query } from '../shapes/tree.ts'

/** What every reader of a parse tree is given. */
export interface Reading {
  /** Position in characters of a position in bytes. */
  at(bytes: number | undefined): number
  /** How deep the nodes being read are inside each other. */
  depth: number
  expression(node: Node): Expression
  /** A query inside another one or inside an expression; `at` where it has no place of its own. */
  query(node: Node, at: number): Query
}

export const readExpressions = (reading: Reading, nodes: readonly Node[] | undefined): Expression[] =>
  (nodes ?? []).map(node => reading.expression(node))

/** An expression that the grammar always gives. */
export function required(reading: Reading, node: Node | undefined, at: number): Expression {
  if (!node) throw new SqlError('42601', 'An operand is missing', at)
  return reading.expression(node)
}

export function readName(node: Node, at: number): string {
  if ('String' in node && node.String.sval !== undefined) return node.String.sval
  throw unsupported(`A ${kindOf(node)} in a name`, at)
}

const deepest = 400

/** Reads one level deeper. Trees are bounded, so that nothing which walks them has to be. */
export function deeper<T>(reading: Reading, read: () => T): T {
  if (reading.depth >= deepest) throw new SqlError('54001', `The statement is nested more than ${deepest} deep`)
  reading.depth += 1
  try {
    return read()
  } finally {
    reading.depth -= 1
  }
}

/** Refuses a node that carries anything which is not read: what is not understood is never ignored. */
export function only(node: object, keys: readonly string[], what: string, at: number): void {
  const other = Object.keys(node).find(key => !keys.includes(key))
  if (other !== undefined) throw unsupported(`${what} with ${words(other)}`, at)
}

const words = (key: string) =>
  key
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()

/** The name of a node's kind as a person would say it: `RangeTableSample` is `range table sample`. */
export const kindOf = (node: object): string => words(Object.keys(node)[0] ?? 'an empty node')
