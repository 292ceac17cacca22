import { type Cell, type Column, numberOf, type Result } from '../results/result.ts'

export interface Sorting {
  /** Index of the column. */
  readonly column: number
  readonly descending: boolean
}

/**
 * The order of rows, as their indexes. Equal ones stay as they were, cells without a value come last either way, numbers go by
 * value and texts as the language orders them.
 */
export function sortRows({ columns, rows }: Result, sorting: Sorting | null, locale: string): readonly number[] {
  const order = rows.map((_, index) => index)
  const column = sorting === null ? undefined : columns[sorting.column]
  if (sorting === null || column === undefined) return order
  const compare = comparer(column, rows, sorting.column, locale)
  const direction = sorting.descending ? -1 : 1
  const isMissing = rows.map(row => {
    const cell = row[sorting.column]
    return cell === null || cell === undefined || cell === ''
  })
  return order.sort((one, other) => {
    const [first, second] = [isMissing[one], isMissing[other]]
    if (first || second) return Number(first) - Number(second) || one - other
    return direction * compare(one, other) || one - other
  })
}

function comparer(
  column: Column,
  rows: readonly (readonly Cell[])[],
  at: number,
  locale: string,
): (one: number, other: number) => number {
  if (column.type === 'number') {
    const numbers = Float64Array.from(rows, row => numberOf(row[at]))
    return (one, other) => (numbers[one] ?? 0) - (numbers[other] ?? 0)
  }
  const texts = rows.map(row => String(row[at] ?? ''))
  if (column.type !== 'string') {
    return (one, other) => compareText(texts[one] ?? '', texts[other] ?? '')
  }
  const collator = new Intl.Collator(locale, { numeric: true })
  return (one, other) => collator.compare(texts[one] ?? '', texts[other] ?? '')
}

/** Times are written so that their texts are in their order. */
function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** What a click on a title does next: up, down (numbers the other way round), as it came. */
export function nextSorting(sorting: Sorting | null, column: number, isNumber: boolean): Sorting | null {
  if (sorting?.column !== column) return { column, descending: isNumber }
  return sorting.descending === isNumber ? { column, descending: !isNumber } : null
}
