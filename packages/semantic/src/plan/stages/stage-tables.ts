import type { Expression, Relation } from '../../shapes/plan.ts'
import type { GrainItem } from './state.ts'

/** A stage with a column for each item of its grain and for each measure asked of it. */
export interface Table {
  readonly name: string
  readonly grain: readonly GrainItem[]
  /** Items of the grain whose columns are never null. */
  readonly neverNull: ReadonlySet<string>
}

export interface Place {
  readonly table: Table
  readonly column: string
}

export const columnOf = (table: Pick<Table, 'name'>, name: string): Expression => ({
  kind: 'column',
  table: table.name,
  name,
  trusted: false,
})

export const relationOf = ({ name }: Pick<Table, 'name'>): Relation => ({
  alias: name,
  source: { kind: 'identifier', name },
  isQuery: false,
})
