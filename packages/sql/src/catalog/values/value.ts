import { CatalogError } from '../catalog-error.ts'

/** A composite value, such as a row of a function that gives rows. */
export interface RowValue {
  readonly names: readonly string[]
  readonly types: readonly string[]
  readonly values: readonly Value[]
}

/** A value of a catalog statement: integers, oids and floats are numbers; times are text in ISO order, which sorts as time does. */
export type Value = null | boolean | number | string | readonly Value[] | RowValue

export const isArray = (value: Value): value is readonly Value[] => Array.isArray(value)
export const isRow = (value: Value): value is RowValue =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Values that are equal have the same key, and no others. */
export function keyOf(value: Value): string | number | boolean | null {
  if (value === null || typeof value !== 'object') return value
  return JSON.stringify(isRow(value) ? ['row', ...value.values.map(keyOf)] : ['array', ...value.map(keyOf)])
}

export const keyOfRow = (values: readonly Value[]): string => JSON.stringify(values.map(keyOf))

/** Order of two values that are not null; text sorts by its bytes, as in the collation "C". */
export function compareValues(left: Value, right: Value): number {
  if (isArray(left) && isArray(right)) return compareLists(left, right)
  if (typeof left === 'object' && typeof right === 'object' && left !== null && right !== null) {
    if (isRow(left) && isRow(right)) return compareLists(left.values, right.values)
  }
  if (typeof left === 'string' && typeof right === 'string') return left === right ? 0 : compareText(left, right)
  if (typeof left === 'number' && typeof right === 'number') return left - right
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right)
  throw new CatalogError('42883', 'operator does not exist: values of these types cannot be compared')
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : 1
}

function compareLists(left: readonly Value[], right: readonly Value[]): number {
  for (const [index, value] of left.entries()) {
    const other = right[index]
    if (other === undefined) return 1
    if (value === null || other === null) {
      if (value === other) continue
      return value === null ? 1 : -1
    }
    const order = compareValues(value, other)
    if (order !== 0) return order
  }
  return left.length - right.length
}
