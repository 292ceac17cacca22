import type { ValueFormat } from '../ask/statement.ts'

const monthNames = 'January February March April May June July August September October November December'.split(' ')
const weekdays = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')

/** The number that a cell is: the SQL API gives numbers as texts too. Null where it is none. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string' || value.trim() === '') return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

/** A cell as it is told: `511,502`, `12.3%`, `$4.50`, `March 2001`. */
export function formatValue(value: unknown, format: ValueFormat): string {
  if (value === null || value === undefined || value === '') return 'no value'
  if (format.kind === 'text') return String(value)
  if (format.kind === 'time') return formatTime(String(value), format.grain)
  const number = numberOf(value)
  if (number === null) return String(value)
  if (format.kind === 'percent') return `${formatNumber(number * 100, 1)}%`
  if (format.kind === 'currency') return formatCurrency(number, format.currency ?? 'USD')
  return format.unit ? `${formatNumber(number, 2)} ${format.unit}` : formatNumber(number, 2)
}

const formatNumber = (value: number, digits: number) => {
  const small = value !== 0 && Math.abs(value) < 0.1
  return value.toLocaleString('en-US', small ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: digits })
}

function formatCurrency(value: number, currency: string): string {
  try {
    const digits = Number.isInteger(value) || Math.abs(value) >= 100_000 ? 0 : 2
    return value.toLocaleString('en-US', {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
  } catch {
    // A currency that is none of ISO 4217.
    return `${formatNumber(value, 2)} ${currency}`
  }
}

/** The period that begins at a local time. */
export function formatTime(value: string, grain: string | null): string {
  const match = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d))?/.exec(value)
  if (!match) return value
  const [, year = '', month = '', date = '', hour = '00', minute = '00'] = match
  const monthName = monthNames[Number(month) - 1] ?? month
  const day = `${Number(date)} ${monthName} ${year}`
  switch (grain) {
    case 'year':
      return year
    case 'quarter':
      return `Q${Math.floor((Number(month) - 1) / 3) + 1} ${year}`
    case 'month':
      return `${monthName} ${year}`
    case 'week':
      return `the week of ${day}`
    case 'hour':
      return `${day}, ${hour}:${minute}`
    case null:
      return hour === '00' && minute === '00' ? day : `${day}, ${hour}:${minute}`
    default:
      return day
  }
}

/** A repeating part of time by its number: weekday 1 is Monday. */
export function formatPart(value: unknown, name: string): string {
  if (name === 'weekend') return `${String(value)}s`
  const number = numberOf(value)
  if (number === null) return 'no value'
  if (name === 'weekday') return weekdays[number - 1] ?? String(number)
  if (name === 'month') return monthNames[number - 1] ?? String(number)
  return `${String(number).padStart(2, '0')}:00`
}
