import { type Interval, isBeyondDates } from '../shapes/window.ts'
import { type Reader, text } from './fields.ts'

const pattern = /^(-?\d+) (minute|hour|day|week|month|quarter|year)s?$/

const months: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 }
const milliseconds: Readonly<Record<string, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
}

/** `7 days`, `-1 month` (contract/behaviour/data-model.md, section 4). */
export const interval: Reader<Interval> = (value, place, source) => {
  const written = text(value, place, source)
  if (written === undefined) return undefined
  const [, count = '', unit = ''] = pattern.exec(written) ?? []
  const number = Number(count)
  // A negative number of none is -0, which JSON does not know.
  const read = { months: number * (months[unit] ?? 0) + 0, milliseconds: number * (milliseconds[unit] ?? 0) + 0 }
  if (unit !== '' && !isBeyondDates(read)) return read
  source.log.report(source.at(value), 'interval', { ...place, value: written })
  return undefined
}
