import { cellFormat } from '../formats/cell-format.ts'
import type { Drill } from '../results/drill.ts'
import type { Cell, Column, Result } from '../results/result.ts'
import { rowIndex } from './chart-rows.ts'
import { foldedOf } from './folded.ts'
import { cellOf } from './format-type.ts'
import { encodings, fieldOf, isPart, type Part } from './spec.ts'

/** A member and its value, as a tooltip has them below each other. */
export interface TooltipLine {
  readonly title: string
  readonly text: string
}

const computed = /^(sum|mean|average|median|min|max|count|distinct|stdev|variance|q1|q3)_(.+)$/

/**
 * What a tooltip says. Marks that are a row of the result show all of its members as the model writes them; marks that the chart
 * made of several rows show what it made; what the specification writes for tooltips itself is shown as it wrote it.
 */
export function tooltipLines(values: unknown, result: Result, locale: string): readonly TooltipLine[] {
  if (!isPart(values)) return [{ title: '', text: String(values) }]
  const row = rowOf(values, result)
  if (row) {
    return result.columns.map((column, at) => ({ title: column.title, text: cellFormat(column, locale)(row[at]) }))
  }
  const lines: TooltipLine[] = []
  for (const [key, value] of Object.entries(values)) {
    if (key.startsWith('__') || isPart(value) || /_(?:start|end|mid)$/.test(key)) continue
    const [, , inner] = computed.exec(key) ?? []
    const column = columnNamed(key, result) ?? (inner === undefined ? undefined : columnNamed(inner, result))
    const text = column ? cellFormat(column, locale)(cellOf(value)) : String(value)
    lines.push({ title: column?.title ?? key, text })
  }
  return lines
}

/** What is behind a mark: the measure that it shows and the members it stands for; undefined where it shows none. */
export function drillOf(values: Part, spec: Part, result: Result): Drill | undefined {
  const row = rowOf(values, result)
  const found: Record<string, Cell> = {}
  for (const [at, { name }] of result.columns.entries()) {
    if (row) found[name] = row[at] ?? null
    else if (name in values) found[name] = cellOf(values[name])
  }
  const named = [...encodings(spec)].map(([, definition]) => fieldOf(definition))
  const measures = result.columns.filter(column => column.isMeasure ?? column.type === 'number')
  const folded = foldedOf(spec, result)
  const chosen = folded === undefined ? undefined : measures.find(({ name }) => name === values[folded.key])
  const measure = chosen ?? measures.find(({ name }) => named.includes(name)) ?? measures[0]
  if (!measure) return undefined
  const made = Object.entries(values).find(([key]) => computed.exec(key)?.[2] === measure.name.replaceAll('.', '_'))
  return { member: measure.name, value: found[measure.name] ?? cellOf(made?.[1]), values: found }
}

function rowOf(values: Part, result: Result): readonly Cell[] | undefined {
  // Shapes of a map carry theirs among their properties.
  const index = values[rowIndex] ?? (isPart(values.properties) ? values.properties[rowIndex] : undefined)
  return typeof index === 'number' ? result.rows[index] : undefined
}

/** Vega-Lite writes `sum_orders_revenue` for `orders.revenue`, and nested members with a backslash. */
function columnNamed(key: string, { columns }: Result): Column | undefined {
  const plain = key.replaceAll('\\', '')
  return columns.find(({ name }) => name === plain) ?? columns.find(({ name }) => name.replaceAll('.', '_') === plain)
}
