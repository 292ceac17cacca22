import type { VirtualColumn } from '../catalog-view.ts'
import type { Value } from '../values/value.ts'

/** A row by the names of its columns; what it does not name is NULL. */
export type NamedRow = Readonly<Record<string, Value>>

export const inOrder = (columns: readonly VirtualColumn[], rows: readonly NamedRow[]): readonly (readonly Value[])[] =>
  rows.map(row => columns.map(({ name }) => row[name] ?? null))
