import type { Cell } from './result.ts'

/** What was chosen to look behind: a measure, and the values of the row that it stands in. */
export interface Drill {
  readonly member: string
  readonly value: Cell
  /** By column name. */
  readonly values: Readonly<Record<string, Cell>>
}
