import type { Cell, Column } from '../results/result.ts'
import { compactFormat, type NumberFormat, plainFormat, specifiedFormat } from './number-format.ts'
import { strftimeFormat, timeFormat } from './time-format.ts'

/** Writes a cell of one column for people. */
export type CellFormat = (cell: Cell | undefined) => string

/** What stands where there is no value; screen readers hear the word for it beside. */
export const noValue = '—'

/** The model's named formats, as the specifiers that they stand for (docs/data-model.md, Formats). */
const named: Readonly<Record<string, string>> = {
  number: ',.2f',
  percent: '.2%',
  currency: '$,.2f',
  id: '.0f',
  abbr: '.3s',
  accounting: '(,.2f',
}

/** How a report overrides the format of a column (`meta.preferences.columnFormats`). */
export interface FormatOverride {
  readonly type: 'currency' | 'percent' | 'number'
  readonly decimalPlaces?: number | null | undefined
}

/** The columns with what a report says about them. */
export function overrideFormats(
  columns: readonly Column[],
  overrides: Readonly<Record<string, FormatOverride>> | null | undefined,
): readonly Column[] {
  if (!overrides) return columns
  return columns.map(column => {
    const override = overrides[column.name]
    if (!override) return column
    const places = Math.min(Math.max(override.decimalPlaces ?? 2, 0), 20)
    const specifier = { number: `,.${places}f`, percent: `.${places}%`, currency: `$,.${places}f` }[override.type]
    return { ...column, format: override.type, specifier }
  })
}

/** For tables, whose titles name the unit: cells are the number alone. */
export function bareFormat(column: Column, locale: string): CellFormat {
  const write = cellFormat(column, locale)
  const unit = unitOf(column, locale)
  return unit === undefined ? write : cell => write(cell).replace(unit, '').trim()
}

/** How the values of a column are written in a language: by its format in the model, else by its type. */
export function cellFormat(column: Column, locale: string): CellFormat {
  const write = textFormat(column, locale)
  return cell => (cell === null || cell === undefined || cell === '' ? noValue : write(cell))
}

function textFormat(column: Column, locale: string): (cell: string | number | boolean) => string {
  if (column.type === 'number') {
    const format = numberFormatOf(column, locale)
    return cell => (typeof cell === 'boolean' ? String(cell) : format(cell))
  }
  if (column.type === 'time') {
    const { format } = column
    const isCustom = typeof format === 'object' && format.type === 'custom-time'
    const write = isCustom ? strftimeFormat(format.value, locale) : timeFormat(locale, column.granularity)
    return cell => write(String(cell))
  }
  return String
}

/** The specifier of a column's format, or undefined where the model has none. */
export function specifierOf(column: Column): string | undefined {
  const { format, specifier } = column
  if (specifier !== undefined) return specifier
  if (typeof format === 'object') return format.type === 'custom-numeric' ? format.value : undefined
  return format === undefined ? undefined : (named[format] ?? format)
}

function numberFormatOf(column: Column, locale: string): NumberFormat {
  const specifier = specifierOf(column)
  const specified = specifier === undefined ? undefined : specifiedFormat(specifier, locale, column.currency)
  return specified ?? plainFormat(locale, column.isMeasure ?? false)
}

/** For axes and large figures, where there is no room for every digit. */
export function shortFormat(column: Column, locale: string): CellFormat {
  if (column.type !== 'number') return cellFormat(column, locale)
  const write = compactFormat(locale, specifierOf(column), column.currency)
  return cell => (cell === null || cell === undefined || typeof cell === 'boolean' ? noValue : write(cell))
}

/** What stands behind a column's title, since its cells are numbers alone: `€`, `%`. */
export function unitOf(column: Column, locale: string): string | undefined {
  if (column.type !== 'number') return undefined
  const specifier = specifierOf(column) ?? ''
  if (specifier.endsWith('%') || specifier.endsWith('p')) return '%'
  if (!specifier.includes('$')) return undefined
  const parts = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: column.currency ?? 'USD',
    currencyDisplay: 'narrowSymbol',
  }).formatToParts(0)
  return parts.find(({ type }) => type === 'currency')?.value
}
