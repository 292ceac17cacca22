import type { Cell } from '../../shapes/query.ts'

/** A double from its text or as a number: the shortest text that reads back; NaN and the infinities are null. */
export function doubleCell(value: unknown): Cell {
  const number = typeof value === 'number' ? value : Number(value)
  return Number.isFinite(number) ? String(number) : null
}

/** The shortest decimal that gives the same 32-bit number; as a double it would show digits that nobody stored. */
export function floatCell(value: unknown): Cell {
  const number = Math.fround(Number(value))
  if (!Number.isFinite(number)) return null
  const digits = [6, 7, 8].find(count => Math.fround(Number(number.toPrecision(count))) === number) ?? 9
  return String(Number(number.toPrecision(digits)))
}

const written = /^([+-]?\d{4,}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.(\d+))?)?(?: ?(?:Z|UTC|[+-]00:?(?:00)?))?$/

/**
 * A day or a moment in UTC, with or without a zone behind it, as `YYYY-MM-DDTHH:mm:ss.SSS`. What is written otherwise stays.
 */
export function momentCell(value: unknown): Cell {
  const text = String(value)
  const [, date, time = '00:00:00', fraction = ''] = written.exec(text) ?? []
  return date === undefined ? text : `${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}`
}

/** A moment with an offset other than that of UTC, moved there. */
export function offsetMomentCell(value: unknown): Cell {
  const text = String(value)
  const [, local, fraction = '', sign, hours = '0', minutes = '0'] =
    /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)(?:\.(\d+))? ?([+-])(\d\d):?(\d\d)$/.exec(text) ?? []
  if (local === undefined) return momentCell(text)
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1)
  const moved = new Date(Date.parse(`${local.replace(' ', 'T')}Z`) - offset).toISOString()
  return `${moved.slice(0, 19)}.${fraction.slice(0, 3).padEnd(3, '0')}`
}
