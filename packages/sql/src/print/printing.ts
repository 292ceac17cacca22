import type { Bound, BoundQuery } from '../shapes/bound.ts'
import type { Piece, PrintDialect } from './piece.ts'

/** How many values may still be printed: some are printed several times, and those inside them as often. */
export interface PrintBudget {
  left: number
}

/** For one statement, which has its values and more but not endlessly more. */
export const printBudget = (): PrintBudget => ({ left: 500_000 })

export interface Printing {
  readonly dialect: PrintDialect
  readonly budget: PrintBudget
  /** A value inside another one. */
  value(value: Bound): Piece[]
  /** A query inside an expression, in parentheses. */
  query(query: BoundQuery): Piece[]
}
