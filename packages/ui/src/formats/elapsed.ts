const steps = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** Up to its two largest units: `1 h 5 min`; below ten seconds with a decimal. */
export function formatDuration(milliseconds: number, locale: string): string {
  let rest = Math.max(0, milliseconds / 1000)
  if (rest < 10) return unit(locale, 'second', 1).format(rest)
  rest = Math.round(rest)
  const parts: string[] = []
  for (const [name, seconds] of steps) {
    const count = Math.floor(rest / seconds)
    rest -= count * seconds
    if (count > 0 || (parts.length === 1 && rest > 0)) parts.push(unit(locale, name, 0).format(count))
    if (parts.length === 2) break
  }
  return parts.join(' ')
}

function unit(locale: string, name: string, decimals: number): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: name,
    unitDisplay: 'short',
    maximumFractionDigits: decimals,
  })
}

/** `5 minutes ago`, by the largest unit that is full. Both in milliseconds since 1970. */
export function formatAge(time: number, now: number, locale: string): string {
  const seconds = (time - now) / 1000
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const [name, size] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? (['second', 1] as const)
  return format.format(Math.trunc(seconds / size), name)
}

/** Date and time of a moment in a time zone, for what is shown on hover. */
export function formatMoment(time: number, locale: string, timeZone?: string): string {
  const zone = timeZone === undefined ? {} : { timeZone }
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', ...zone }).format(time)
}
