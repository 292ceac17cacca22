import type { Column, Result } from '../results/result.ts'
import { fieldOf, type Part } from './spec.ts'

/** The column that an encoding shows. */
export function columnOf(definition: Part, { columns }: Result): Column | undefined {
  const field = fieldOf(definition)
  return field === undefined ? undefined : columns.find(({ name }) => name === field)
}

/** Values of a column as text, each once, in the order of the rows. */
export function distinct({ columns, rows }: Result, column: Column): readonly string[] {
  const at = columns.indexOf(column)
  const values = new Set<string>()
  for (const row of rows) {
    const cell = row[at]
    if (cell !== null && cell !== undefined) values.add(String(cell))
  }
  return [...values]
}
