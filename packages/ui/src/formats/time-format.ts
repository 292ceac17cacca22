/** Writes what the data API answers for times: digits of the query's time zone, such as `2024-03-01T00:00:00.000`. */
export type TimeFormat = (value: string) => string

/**
 * The moment at which a clock in UTC shows the digits of `text`. The digits are what is shown, whatever zone the browser is in and
 * whatever zone is written behind them.
 *
 * @returns NaN for what is no date.
 */
export function wallClock(text: string): number {
  const match = /^(\d{4})-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?)?/.exec(text)
  if (!match) return Number.NaN
  const [, year, month, day = '1', hour = '0', minute = '0', second = '0', fraction = '0'] = match
  const milliseconds = Math.floor(Number(`0.${fraction}`) * 1000)
  return Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    milliseconds,
  )
}

const grains: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  year: { year: 'numeric' },
  month: { year: 'numeric', month: 'short' },
  week: { year: 'numeric', month: 'short', day: 'numeric' },
  day: { year: 'numeric', month: 'short', day: 'numeric' },
  hour: { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  minute: { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  second: { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', second: '2-digit' },
}

/** As long as the step of time needs: `2024`, `Q1 2024`, `Mar 2024`, `Mar 1, 2024`. Weeks are named by their first day. */
export function timeFormat(locale: string, granularity?: string): TimeFormat {
  if (granularity === 'quarter') return checked(date => quarterName(date, locale))
  const options = granularity === undefined ? undefined : grains[granularity]
  if (options) return checked(formatter(locale, options))
  const day = formatter(locale, grains.day ?? {})
  const moment = formatter(locale, grains.second ?? {})
  return checked(date => (date.getTime() % 86_400_000 === 0 ? day(date) : moment(date)))
}

function formatter(locale: string, options: Intl.DateTimeFormatOptions): (date: Date) => string {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  return date => format.format(date)
}

function quarterName(date: Date, locale: string): string {
  const [quarter, year] = [shortQuarter(date, locale), date.getUTCFullYear()]
  const language = locale.split('-')[0]
  return language === 'ja' ? `${year}年${quarter}` : `${quarter}${language === 'vi' ? '/' : ' '}${year}`
}

/** `Q1`, without its year, by a clock in UTC. Intl has no quarters. */
export function shortQuarter(date: Date, locale: string): string {
  const quarter = Math.floor(date.getUTCMonth() / 3) + 1
  switch (locale.split('-')[0]) {
    case 'fr':
    case 'es':
    case 'it':
    case 'pt':
      return `T${quarter}`
    case 'nb':
    case 'sv':
      return `K${quarter}`
    case 'ja':
      return `第${quarter}四半期`
    default:
      return `Q${quarter}`
  }
}

/** The model's strftime specifier (docs/data-model.md, Formats), with the language's names of months and days. */
export function strftimeFormat(pattern: string, locale: string): TimeFormat {
  return checked(date =>
    pattern.replace(/%-?([a-zA-Z%])/g, (written, letter: string) => part(date, letter, locale) ?? written),
  )
}

function part(date: Date, letter: string, locale: string): string | undefined {
  const named = (options: Intl.DateTimeFormatOptions) => formatter(locale, options)(date)
  const two = (value: number) => String(value).padStart(2, '0')
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  const [hour, weekday] = [date.getUTCHours(), date.getUTCDay()]
  const dayOfYear = Math.floor((Date.UTC(year, month, day) - Date.UTC(year, 0, 1)) / 86_400_000) + 1
  switch (letter) {
    case 'a':
      return named({ weekday: 'short' })
    case 'A':
      return named({ weekday: 'long' })
    case 'b':
      return named({ month: 'short' })
    case 'B':
      return named({ month: 'long' })
    case 'c':
      return named({ dateStyle: 'medium', timeStyle: 'medium' })
    case 'd':
      return two(day)
    case 'e':
      return String(day).padStart(2)
    case 'f':
      return String(date.getUTCMilliseconds() * 1000).padStart(6, '0')
    case 'g':
      return two(isoWeek(date).year % 100)
    case 'G':
      return String(isoWeek(date).year)
    case 'H':
      return two(hour)
    case 'I':
      return two(hour % 12 || 12)
    case 'j':
      return String(dayOfYear).padStart(3, '0')
    case 'L':
      return String(date.getUTCMilliseconds()).padStart(3, '0')
    case 'm':
      return two(month + 1)
    case 'M':
      return two(date.getUTCMinutes())
    case 'n':
      return '\n'
    case 'p':
      return hour < 12 ? 'AM' : 'PM'
    case 'q':
      return String(Math.floor(month / 3) + 1)
    case 'Q':
      return String(date.getTime())
    case 's':
      return String(Math.floor(date.getTime() / 1000))
    case 'S':
      return two(date.getUTCSeconds())
    case 't':
      return '\t'
    case 'u':
      return String(weekday || 7)
    case 'U':
      return two(Math.floor((dayOfYear + 6 - weekday) / 7))
    case 'V':
      return two(isoWeek(date).week)
    case 'w':
      return String(weekday)
    case 'W':
      return two(Math.floor((dayOfYear + 6 - ((weekday + 6) % 7)) / 7))
    case 'x':
      return named({ dateStyle: 'short' })
    case 'X':
      return named({ timeStyle: 'medium' })
    case 'y':
      return two(year % 100)
    case 'Y':
      return String(year)
    case 'Z':
      return '+0000'
    case '%':
      return '%'
    default:
      return undefined
  }
}

/** ISO 8601: weeks begin on Monday and belong to the year of their Thursday. */
function isoWeek(date: Date): { week: number; year: number } {
  const thursday = new Date(date.getTime() + (3 - ((date.getUTCDay() + 6) % 7)) * 86_400_000)
  const year = thursday.getUTCFullYear()
  return { week: Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / 604_800_000) + 1, year }
}

function checked(write: (date: Date) => string): TimeFormat {
  return value => {
    const time = wallClock(value)
    return Number.isNaN(time) ? value : write(new Date(time))
  }
}
