import { type Column, numberOf, type Result } from '../results/result.ts'
import { columnOf, distinct } from './chart-columns.ts'
import { isPart, markType, type Part } from './spec.ts'

const mostLabels = 5
/** Pixels between the middles of two labels that do not touch. */
const apart = 15

/**
 * Names beside the ends of up to five lines, in their colour, instead of a legend that the eye has to travel to. Where the ends lie
 * so close that names would cover each other, or the chart says how its legend is, it stays as it is.
 */
export function directLabels(
  spec: Part,
  { result, height }: { readonly result: Result; readonly height: number },
): Part {
  const { encoding } = spec
  if (markType(spec) !== 'line' || !isPart(encoding) || 'transform' in spec) return spec
  const { x, y, color } = encoding
  if (!isPart(x) || !isPart(y) || !isPart(color) || 'legend' in color) return spec
  if ([x, y, color].some(one => 'aggregate' in one || 'bin' in one || 'timeUnit' in one || 'stack' in one)) return spec
  if (isPart(y.scale) || isPart(x.scale)) return spec
  const [across, up, series] = [columnOf(x, result), columnOf(y, result), columnOf(color, result)]
  if (!across || !up || !series || up.type !== 'number' || across.type === 'string') return spec
  const names = distinct(result, series)
  if (names.length < 2 || names.length > mostLabels) return spec
  const place = (column: Column) => result.columns.indexOf(column)
  const ends = lastRows(result, place(across), place(series), place(up))
  const isClear = areApart(result, [...ends.values()], place(up), height)
  if (!isClear) return spec
  const longest = names.reduce((most, name) => Math.max(most, Math.min(name.length, 18)), 0)
  const test = `indexof([${[...ends.values()].join(',')}], datum.__row) >= 0`
  const { width, height: tall, autosize, data, mark, encoding: _, ...rest } = spec
  const colored = { ...color, legend: null }
  return {
    ...rest,
    width,
    height: tall,
    autosize,
    data,
    padding: { left: 4, top: 4, bottom: 4, right: longest * 7.2 + 14 },
    encoding: { ...encoding, color: colored },
    layer: [
      { mark },
      {
        transform: [{ filter: test }],
        mark: { type: 'text', align: 'left', dx: 8, baseline: 'middle', limit: 140, tooltip: null },
        encoding: { text: { field: color.field, type: 'nominal' } },
      },
    ],
  }
}

/** Index of the last row with a value of each series. */
function lastRows({ rows }: Result, across: number, series: number, up: number): Map<string, number> {
  const last = new Map<string, number>()
  for (const [index, row] of rows.entries()) {
    const [name, at] = [String(row[series] ?? ''), row[across]]
    if (row[series] === null || at === null || at === undefined || Number.isNaN(numberOf(row[up]))) continue
    const before = rows[last.get(name) ?? -1]?.[across]
    const isLater =
      before === undefined ||
      before === null ||
      (typeof at === 'number' ? at >= Number(before) : String(at) >= String(before))
    if (isLater) last.set(name, index)
  }
  return last
}

function areApart({ rows }: Result, ends: readonly number[], up: number, height: number): boolean {
  const values = rows.map(row => numberOf(row[up])).filter(Number.isFinite)
  const [least, most] = values.reduce<readonly [number, number]>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [0, Number.NEGATIVE_INFINITY],
  )
  const pixels = Math.max(1, height - 60) / Math.max(most - least, Number.MIN_VALUE)
  const places = ends.map(index => numberOf(rows[index]?.[up]) * pixels).sort((one, other) => one - other)
  return places.every((place, at) => at === 0 || place - (places[at - 1] ?? 0) >= apart)
}
