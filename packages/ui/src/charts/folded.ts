import type { Column, Result } from '../results/result.ts'
import { isPart, type Part } from './spec.ts'

/** Columns that a chart puts below each other, to have a series for each (Vega-Lite, fold transform). */
export interface Folded {
  /** The name of the field that says which column a value is of. */
  readonly key: string
  readonly value: string
  readonly columns: readonly Column[]
}

/** What the first fold of a specification does; undefined where there is none, or it folds what is no column. */
export function foldedOf({ transform }: Part, result: Result): Folded | undefined {
  const steps = Array.isArray(transform) ? transform.filter(isPart) : []
  const step = steps.find(({ fold }) => Array.isArray(fold))
  if (step === undefined || !Array.isArray(step.fold)) return undefined
  const names = step.fold.map(name => String(name).replace(/\\(.)/g, '$1'))
  const columns = names.flatMap(name => result.columns.find(column => column.name === name) ?? [])
  const [key = 'key', value = 'value'] = Array.isArray(step.as) ? step.as.map(String) : []
  return columns.length === names.length ? { key, value, columns } : undefined
}

/** An expression for the title of the column that a label names. */
export function titleExpression({ columns }: Folded): string {
  const titles = Object.fromEntries(columns.map(({ name, title }) => [name, title]))
  return `${JSON.stringify(titles)}[datum.value]`
}
