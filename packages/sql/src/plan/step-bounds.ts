import type { Bound } from '../shapes/bound.ts'

const day = 86_400_000

/** First moments of the step that begins at a local time and of the one after it; null where none begins there. */
const stepsFrom: Readonly<Record<string, (start: Date) => Date | null>> = {
  day: start => new Date(start.getTime() + day),
  week: start => (start.getUTCDay() === 1 ? new Date(start.getTime() + 7 * day) : null),
  month: start => monthsAfter(start, 1),
  quarter: start => monthsAfter(start, 3),
  year: start => monthsAfter(start, 12),
}

function monthsAfter(start: Date, months: number): Date | null {
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth()]
  return start.getUTCDate() === 1 && month % months === 0 ? new Date(Date.UTC(year, month + months, 1)) : null
}

/** A time that is cut to days or longer steps: `date_trunc('month', t)`, `CAST(t AS date)`. */
export function cutTime(value: Bound): { readonly time: Bound; readonly unit: string } | null {
  if (value.kind === 'cast' && value.type === 'date') return { time: value.operand, unit: 'day' }
  if (value.kind !== 'call' || value.call !== 'date_trunc') return null
  const [unit, time] = value.arguments
  const name = unit?.kind === 'constant' ? unit.value?.toLowerCase() : undefined
  return time && name !== undefined && Object.hasOwn(stepsFrom, name) ? { time, unit: name } : null
}

/** How a time itself compares where its step compares by an operator with a moment. */
export interface StepBounds {
  /** At this local time or later. */
  readonly from: string | null
  /** Before this local time. */
  readonly before: string | null
}

/**
 * The rows whose step is `operator` the moment, by their times: `date_trunc('month', t) = '2024-02-01'` is from the first of
 * February until before the first of March. Null where no step begins at the moment.
 *
 * @param moment local, `YYYY-MM-DDTHH:mm:ss.SSS`
 */
export function stepBounds(unit: string, operator: string, moment: string): StepBounds | null {
  const start = new Date(`${moment}Z`)
  if (Number.isNaN(start.getTime()) || start.getTime() % day !== 0) return null
  const next = stepsFrom[unit]?.(start)
  if (!next || next.getUTCFullYear() > 9999) return null
  const after = next.toISOString().slice(0, -1)
  switch (operator) {
    case '=':
      return { from: moment, before: after }
    case '>=':
      return { from: moment, before: null }
    case '>':
      return { from: after, before: null }
    case '<':
      return { from: null, before: moment }
    case '<=':
      return { from: null, before: after }
    default:
      return null
  }
}
