/**
 * Times of years with four digits, read and written without a `Date`: planning a query does little else that takes as long. Whatever is not
 * written in the usual way is left to others.
 */

const day = 86_400_000
export const firstWritten = Date.parse('0001-01-01')
export const lastWritten = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** `YYYY-MM-DDTHH:mm:ss.SSS` of what `Date.UTC` gives for it; null out of range. */
export function writeIso(time: number): string | null {
  if (!Number.isInteger(time) || time < firstWritten || time > lastWritten) return null
  const days = Math.floor(time / day)
  return `${dateText(days)}T${timeText(time - days * day)}`
}

function timeText(time: number): string {
  if (time === 0) return '00:00:00.000'
  if (time === day - 1) return '23:59:59.999'
  const seconds = Math.floor(time / 1000)
  const minutes = Math.floor(seconds / 60)
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds % 60)}.${three(time % 1000)}`
}

/** Days are counted from 1970 here and from 1 March of the year 0 below, where a leap day ends a year. */
const shift = 719_468
const era = 146_097

function dateText(days: number): string {
  const shifted = days + shift
  const ofEra = shifted % era
  const year = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  )
  const ofYear = ofEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100))
  const fromMarch = Math.floor((5 * ofYear + 2) / 153)
  const ofMonth = ofYear - Math.floor((153 * fromMarch + 2) / 5) + 1
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  const whole = year + Math.floor(shifted / era) * 400 + (month <= 2 ? 1 : 0)
  return `${two(Math.floor(whole / 100))}${two(whole % 100)}-${two(month)}-${two(ofMonth)}`
}

const texts = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'))
const two = (number: number): string => texts[number] ?? ''
const three = (number: number): string => `${Math.floor(number / 100)}${two(number % 100)}`

/** What `Date.UTC` gives for `YYYY-MM-DD` or `YYYY-MM-DDTHH:mm:ss.SSS`; null for all else, and where there is no such day. */
export function readIso(text: string): { readonly time: number; readonly isDate: boolean } | null {
  const { length } = text
  if ((length !== 10 && length !== 23) || text[4] !== '-' || text[7] !== '-') return null
  const month = digits(text, 5, 7)
  const date = digits(text, 8, 10)
  const days = daysOf(digits(text, 0, 4), month, date)
  if (days === null) return null
  if (length === 10) return { time: days * day, isDate: true }
  if (text[10] !== 'T' || text[13] !== ':' || text[16] !== ':' || text[19] !== '.') return null
  const hour = digits(text, 11, 13)
  const minute = digits(text, 14, 16)
  const second = digits(text, 17, 19)
  const milliseconds = digits(text, 20, 23)
  if (!(hour < 24 && minute < 60 && second < 60 && milliseconds < 1000)) return null
  return { time: days * day + ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds, isDate: false }
}

/** NaN, which is less than nothing, where one of them is none. */
function digits(text: string, from: number, to: number): number {
  let number = 0
  for (let position = from; position < to; position++) {
    const digit = text.charCodeAt(position) - 48
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    number = number * 10 + digit
  }
  return number
}

function daysOf(year: number, month: number, date: number): number | null {
  if (!(year >= 1 && month >= 1 && month <= 12 && date >= 1 && date <= lengthOf(month, year))) return null
  const counted = month <= 2 ? year - 1 : year
  const ofEra = counted % 400
  const ofYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + date - 1
  const inEra = ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear
  return Math.floor(counted / 400) * era + inEra - shift
}

const isLeap = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

function lengthOf(month: number, year: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
