import { type CellFormat, cellFormat, shortFormat } from '../formats/cell-format.ts'
import type { Cell, Column } from '../results/result.ts'

/** The name under which charts call for the model's formats; Vega-Lite's custom format types. */
export const formatType = 'modelFormat'

/** What an axis or a label says about its format: everything that writing a value needs, as JSON text. */
export function formatText(column: Column, locale: string, isShort: boolean): string {
  const { type, format, specifier, currency, granularity, isMeasure } = column
  return JSON.stringify({ type, format, specifier, currency, granularity, isMeasure, locale, isShort })
}

const formats = new Map<string, CellFormat>()

/** Writes a value for a chart by a text of `formatText`. Registered with Vega as a function of its expressions. */
export function writeForChart(value: unknown, text: unknown): string {
  if (typeof text !== 'string') return String(value)
  let format = formats.get(text)
  if (!format) {
    const { locale, isShort, ...column }: Column & { locale: string; isShort: boolean } = JSON.parse(text)
    const named = { ...column, name: '', title: '' }
    format = isShort ? shortFormat(named, locale) : cellFormat(named, locale)
    if (formats.size > 500) formats.clear()
    formats.set(text, format)
  }
  return format(cellOf(value))
}

/** A value that a chart carries, as the data API wrote it. */
export function cellOf(value: unknown): Cell {
  if (value instanceof Date) {
    const local = value.getTime() - value.getTimezoneOffset() * 60_000
    return new Date(local).toISOString().slice(0, 23)
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}
