import { type Cell, numberOf, type Result } from '../results/result.ts'
import { columnOf } from './chart-columns.ts'
import { foldedOf } from './folded.ts'
import { isPart, markType, type Part } from './spec.ts'

/** Pixels that a name beside a bar needs, so that it touches no other. */
const roomOfName = 14
/** Of the height of a chart, what the axis below the bars takes. */
const axisHeight = 46
/** However low a chart is, it shows so many. */
const fewest = 3

/** How many bars with a name beside each a chart of this height has room for. */
export const barsThatFit = (height: number): number => Math.max(fewest, Math.floor((height - axisHeight) / roomOfName))

/** Bars with names, in an order that is read from the top. */
export interface Ranking {
  /** All names there are. */
  readonly names: number
  /** Where not all have room: the transform that leaves the rest out, and how many rows are drawn. */
  readonly cut: { readonly transform: Part; readonly rows: number } | null
}

/**
 * Bars below each other in an order, each with its name, are read from the top: the first that the chart has room for are drawn,
 * where all of them would be lines with their names over each other.
 *
 * @returns undefined for other charts, and where the order cannot be known from the rows.
 */
export function rankingOf(spec: Part, result: Result, height: number): Ranking | undefined {
  const { encoding } = spec
  const names = isPart(encoding) && markType(spec) === 'bar' ? encoding.y : undefined
  const column = isPart(names) ? columnOf(names, result) : undefined
  if (!isPart(encoding) || !isPart(names) || !column || column.type !== 'string' || 'aggregate' in names)
    return undefined
  const { transform = [] } = spec
  const keepsRows = Array.isArray(transform) && transform.every(step => isPart(step) && isOfRows(step))
  if (!keepsRows) return undefined
  const at = result.columns.indexOf(column)
  const ordered = inOrder(names.sort, spec, encoding, result, at)
  const most = barsThatFit(height)
  if (ordered === undefined) return undefined
  if (ordered.length <= most) return { names: ordered.length, cut: null }
  const kept = new Set(ordered.slice(0, most))
  const rows = result.rows.filter(row => kept.has(row[at] ?? null)).length
  return {
    names: ordered.length,
    cut: { transform: { filter: { field: names.field, oneOf: [...kept] } }, rows },
  }
}

/** Steps that give each row to what comes after them. */
const isOfRows = (step: Part): boolean => 'calculate' in step || 'fold' in step

/** The names from the top to the bottom; undefined where they are not sorted in a way that the rows tell. */
function inOrder(sort: unknown, spec: Part, encoding: Part, result: Result, at: number): readonly Cell[] | undefined {
  const totals = new Map<Cell, number>()
  const folded = foldedOf(spec, result)
  const own = isPart(encoding.x) ? columnOf(encoding.x, result) : undefined
  const values = folded?.columns ?? (own === undefined ? [] : [own])
  const places = values.map(column => result.columns.indexOf(column))
  for (const row of result.rows) {
    const total = places.reduce((sum, place) => sum + (numberOf(row[place] ?? null) || 0), 0)
    const name = row[at] ?? null
    totals.set(name, (totals.get(name) ?? 0) + total)
  }
  if (sort === null) return [...totals.keys()]
  if (sort !== '-x' || places.length === 0) return undefined
  return [...totals].sort(([, one], [, other]) => other - one).map(([name]) => name)
}
