/** A day as `YYYY-MM-DD`; days compare as texts. */
export type Day = string

export const grains = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const
export type Grain = (typeof grains)[number]

/** From the first day to before the day `to`; null: no bound. */
export interface DayRange {
  readonly from: Day | null
  readonly to: Day | null
}

const parts = (day: Day): [year: number, month: number, date: number] => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return [year, month, date]
}

/** A day by numbers, which may run over: the 0th month of 2001 is December 2000. */
export function dayOf(year: number, month: number, date: number): Day {
  return new Date(Date.UTC(year, month - 1, date)).toISOString().slice(0, 10)
}

/** Whether there is such a day: there is no 30 February. */
export function isDay(year: number, month: number, date: number): boolean {
  const day = dayOf(year, month, date)
  return day === `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`
}

/** The day on the wall of a zone. */
export function localDay(now: Date, timeZone: string): Day {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(now)
}

/** The first day of the period of a day; weeks begin on Monday. */
export function startOf(day: Day, grain: Grain): Day {
  const [year, month, date] = parts(day)
  switch (grain) {
    case 'hour':
    case 'day':
      return day
    case 'week': {
      const weekday = (new Date(Date.UTC(year, month - 1, date)).getUTCDay() + 6) % 7
      return dayOf(year, month, date - weekday)
    }
    case 'month':
      return dayOf(year, month, 1)
    case 'quarter':
      return dayOf(year, Math.floor((month - 1) / 3) * 3 + 1, 1)
    case 'year':
      return dayOf(year, 1, 1)
  }
}

/** The day so many periods later; a day of a month that has none is its last. */
export function move(day: Day, count: number, grain: Grain): Day {
  const [year, month, date] = parts(day)
  if (grain === 'hour' || grain === 'day') return dayOf(year, month, date + count)
  if (grain === 'week') return dayOf(year, month, date + 7 * count)
  const months = count * { month: 1, quarter: 3, year: 12 }[grain]
  const lastDate = Number(dayOf(year, month + months + 1, 0).slice(8))
  return dayOf(year, month + months, Math.min(date, lastDate))
}

/** The period of a day: `2001-03-05` by month is March 2001. */
export function periodOf(day: Day, grain: Grain): { readonly from: Day; readonly to: Day } {
  const from = startOf(day, grain)
  return { from, to: move(from, 1, grain) }
}

export function daysBetween(from: Day, to: Day): number {
  const at = (day: Day) => {
    const [year, month, date] = parts(day)
    return Date.UTC(year, month - 1, date)
  }
  return Math.round((at(to) - at(from)) / 86_400_000)
}

const monthNames = 'January February March April May June July August September October November December'.split(' ')

const written = (day: Day) => {
  const [year, month, date] = parts(day)
  return `${date} ${monthNames[month - 1] ?? ''} ${year}`
}

/** The largest period that a range is exactly, if it is one. */
export function grainOf({ from, to }: DayRange): Grain | null {
  if (from === null || to === null) return null
  const whole = (['year', 'quarter', 'month', 'week', 'day'] as const).find(grain => {
    const period = periodOf(from, grain)
    return period.from === from && period.to === to
  })
  return whole ?? null
}

const weekdayNames = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')

/** Days of the week in words: `on weekends`, `on Mondays and Fridays`. */
export function describeDays(days: readonly number[]): string {
  if (days.join() === '6,7') return 'on weekends'
  if (days.join() === '1,2,3,4,5') return 'on weekdays'
  return `on ${days.map(day => `${weekdayNames[day - 1] ?? ''}s`).join(' and ')}`
}

/** A range in words: `in March 2001`, `since 1 May 2001`, `from 5 March 2001 to 9 March 2001`. */
export function describeRange(range: DayRange): string {
  const { from, to } = range
  if (from === null && to === null) return 'at all times'
  if (from === null) return `before ${written(to ?? '')}`
  if (to === null) return `since ${written(from)}`
  const [year, month] = parts(from)
  switch (grainOf(range)) {
    case 'year':
      return `in ${year}`
    case 'quarter':
      return `in the ${['first', 'second', 'third', 'fourth'][Math.floor((month - 1) / 3)] ?? ''} quarter of ${year}`
    case 'month':
      return `in ${monthNames[month - 1] ?? ''} ${year}`
    case 'day':
      return `on ${written(from)}`
    default:
      return `from ${written(from)} to ${written(move(to, -1, 'day'))}`
  }
}
