/** What Vega's own number formats need of a language (d3js.org/d3-format, formatLocale). */
export function numberLocale(locale: string) {
  const parts = new Intl.NumberFormat(locale, { useGrouping: true, minimumFractionDigits: 1 }).formatToParts(
    1_234_567.8,
  )
  const part = (type: string) => parts.find(one => one.type === type)?.value
  const currency: [string, string] = ['$', '']
  return { decimal: part('decimal') ?? '.', thousands: part('group') ?? '', grouping: [3], currency }
}

/** What Vega's own time formats need of a language (d3js.org/d3-time-format, timeFormatLocale). */
export function timeLocale(locale: string) {
  // 2024 begins on a Monday; the first Sunday is the 7th.
  const names = (count: number, options: Intl.DateTimeFormatOptions, time: (at: number) => number) => {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
    return Array.from({ length: count }, (_, at) => format.format(time(at)))
  }
  const day = (at: number) => Date.UTC(2024, 0, 7 + at)
  const month = (at: number) => Date.UTC(2024, at, 1)
  const isEnglish = locale.startsWith('en')
  const periods: [string, string] = ['AM', 'PM']
  return {
    dateTime: '%x, %X',
    date: isEnglish ? '%-m/%-d/%Y' : '%Y-%m-%d',
    time: isEnglish ? '%-I:%M:%S %p' : '%H:%M:%S',
    periods,
    days: names(7, { weekday: 'long' }, day),
    shortDays: names(7, { weekday: 'short' }, day),
    months: names(12, { month: 'long' }, month),
    shortMonths: names(12, { month: 'short' }, month),
  }
}
