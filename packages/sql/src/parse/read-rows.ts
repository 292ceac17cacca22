import type { Node } from 'libpg-query'
import { SqlError, unsupported } from '../messages/sql-error.ts'
import type { Expression } from '../shapes/tree.ts'
import { type Reading, readExpressions } from './read.ts'

export const isRow = (node: Node | undefined): node is Extract<Node, { RowExpr: unknown }> =>
  node !== undefined && 'RowExpr' in node

/** `(a, b) < (1, 2)`: rows compare by the first of their values that differ, as PostgreSQL compares them. */
export function compareRows(reading: Reading, operator: string, left: Node, right: Node, at: number): Expression {
  const [first, second] = [valuesOf(reading, left, at), valuesOf(reading, right, at)]
  if (first.length !== second.length) throw new SqlError('42601', 'unequal number of entries in row expressions', at)
  const pairs = first.flatMap((value, position): [Expression, Expression][] => {
    const other = second[position]
    return other ? [[value, other]] : []
  })
  const each = (name: string): Expression[] => pairs.map(([one, other]) => compared(name, one, other, at))
  switch (operator) {
    case '=':
      return together('and', each('='), at)
    case '<>':
    case '!=':
      return together('or', each('<>'), at)
    case '<':
    case '<=':
    case '>':
    case '>=':
      return byFirst(operator, pairs, at)
    case 'is distinct from':
      return together('or', each(operator), at)
    case 'is not distinct from':
      return together('and', each(operator), at)
    default:
      throw unsupported(`${operator} of rows`, at)
  }
}

/** `a < 1 OR a = 1 AND (b < 2 OR …)`, which is also as unknown as PostgreSQL's comparison where a value is null. */
function byFirst(
  operator: '<' | '<=' | '>' | '>=',
  [pair, ...more]: readonly (readonly [Expression, Expression])[],
  at: number,
): Expression {
  if (!pair) throw new SqlError('42601', 'A row has no values', at)
  const [left, right] = pair
  if (more.length === 0) return compared(operator, left, right, at)
  const strictly = compared(operator.charAt(0), left, right, at)
  return together(
    'or',
    [strictly, together('and', [compared('=', left, right, at), byFirst(operator, more, at)], at)],
    at,
  )
}

function valuesOf(reading: Reading, node: Node, at: number): readonly Expression[] {
  if (!isRow(node)) throw unsupported('A row beside what is none', at)
  return readExpressions(reading, node.RowExpr.args)
}

const compared = (operator: string, left: Expression, right: Expression, at: number): Expression => ({
  kind: 'operator',
  operator,
  left,
  right,
  at,
})

/** Conditions of which all or any have to hold. */
export function together(operator: 'and' | 'or', operands: readonly Expression[], at: number): Expression {
  const [only, more] = operands
  if (!only) throw new SqlError('42601', 'A row has no values', at)
  return more ? { kind: 'logical', operator, operands, at } : only
}
