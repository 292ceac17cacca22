import { CronExpressionParser } from 'cron-parser'
import type { Schedule } from '../shapes/tree.ts'

const day = 86_400

/**
 * A cron expression of five or six fields, as steps of equal length. `unequal` for one that fires after unequal times,
 * such as on weekdays or on the first of a month; `null` for text that is no cron expression.
 */
export function readSchedule(text: string): Omit<Schedule, 'timezone'> | 'unequal' | null {
  const fields = cronFields(text)
  if (!fields) return null
  const days = [...new Set(fields.dayOfWeek.values.map(value => Number(value) % 7))]
  const isEveryDay = fields.dayOfMonth.values.length === 31 && fields.month.values.length === 12
  if (!isEveryDay || (days.length !== 7 && days.length !== 1)) return 'unequal'
  const clock = [
    { values: fields.second.values.map(Number), unit: 1, turn: 60 },
    { values: fields.minute.values.map(Number), unit: 60, turn: 60 },
    { values: fields.hour.values.map(Number), unit: 3600, turn: 24 },
  ]
  let seconds: number | null = null
  let offset = 0
  for (const { values, unit, turn } of clock) {
    const [first = 0, second] = values
    // Once a field fires several times, every longer one has to fire each time.
    if (seconds !== null) {
      if (values.length !== turn) return 'unequal'
      continue
    }
    offset += first * unit
    if (second === undefined) continue
    const step = second - first
    if (turn % step !== 0 || values.length !== turn / step || first >= step) return 'unequal'
    seconds = step * unit
  }
  const [weekday = 0] = days
  if (days.length === 7) return { seconds: seconds ?? day, offset }
  // Time is counted from a Thursday.
  return seconds === null ? { seconds: 7 * day, offset: offset + ((weekday + 3) % 7) * day } : 'unequal'
}

function cronFields(text: string) {
  const parts = text.trim().split(/\s+/).length
  // `H` stands for a number that the reader makes up.
  if ((parts !== 5 && parts !== 6) || /\bH/.test(text)) return null
  try {
    return CronExpressionParser.parse(text, { tz: 'UTC', currentDate: new Date(0) }).fields
  } catch {
    return null
  }
}
