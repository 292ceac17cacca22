/** Writes a number in a language. Text is written digit for digit, however many there are; what is no number comes back as it is. */
export type NumberFormat = (value: number | string) => string

/** A d3 format specifier, read (d3js.org/d3-format); fill, width and radix types, which pad and count for machines, are left out. */
interface Specifier {
  readonly sign: string
  readonly isCurrency: boolean
  readonly groups: boolean
  readonly precision: number | undefined
  readonly trims: boolean
  readonly type: string
}

const pattern = /^(?:.?[<>=^])?([+\-( ]?)([$#]?)0?\d*(,?)(?:\.(\d+))?(~?)([efgrs%pbodxXcn]?)$/

/**
 * How the model's d3 specifier is written in a language: its decimals and signs, with the language's separators, currency signs and
 * words for thousands and millions (`s`).
 *
 * @param currency ISO 4217, of specifiers with `$`; US dollars where the model names none.
 * @returns undefined for what is no specifier.
 */
export function specifiedFormat(specifier: string, locale: string, currency?: string): NumberFormat | undefined {
  const read = readSpecifier(specifier)
  if (!read) return undefined
  const format = new Intl.NumberFormat(locale, { ...options(read), ...signs(read), ...money(read, currency) })
  const isPercent = read.type === '%' || read.type === 'p'
  const write = (value: number | `${number}`) =>
    isPercent && typeof value === 'string' ? format.format(Number(value)) : format.format(value)
  if (read.sign !== '(') return numeric(write)
  // Accounts write what is below zero in parentheses; Intl does so for currencies alone.
  const plain = new Intl.NumberFormat(locale, { ...options(read), ...money(read, currency), signDisplay: 'never' })
  return numeric(value => (Number(value) < 0 ? `(${plain.format(value)})` : plain.format(value)))
}

/** For numbers of which the model says nothing: two decimals, or four digits where those say more; years stay four digits. */
export function plainFormat(locale: string, groups = true): NumberFormat {
  const format = new Intl.NumberFormat(locale, {
    maximumFractionDigits: 2,
    maximumSignificantDigits: 4,
    roundingPriority: 'morePrecision',
    useGrouping: groups ? 'always' : 'min2',
  })
  return numeric(value => format.format(value))
}

/** For axes: `1.2M`, with the sign of a currency or percent where the specifier has one. */
export function compactFormat(locale: string, specifier = '', currency?: string): NumberFormat {
  const read = readSpecifier(specifier)
  if (read?.type === '%' || read?.type === 'p') {
    const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
    return numeric(value => percent.format(Number(value)))
  }
  const format = new Intl.NumberFormat(locale, {
    notation: 'compact',
    maximumSignificantDigits: 4,
    ...(read ? money(read, currency) : {}),
  })
  return numeric(value => format.format(value))
}

function readSpecifier(specifier: string): Specifier | undefined {
  const match = pattern.exec(specifier)
  if (!match) return undefined
  const [, sign = '', symbol, comma, precision, tilde, type = ''] = match
  return {
    sign,
    isCurrency: symbol === '$',
    groups: comma === ',' || type === 'n',
    precision: precision === undefined ? undefined : Math.min(Number(precision), 20),
    trims: tilde === '~',
    type: type === 'n' ? 'g' : type,
  }
}

function options({ groups, precision, trims, type }: Specifier): Intl.NumberFormatOptions {
  const useGrouping = groups ? ('always' as const) : false
  const significant = { maximumSignificantDigits: Math.max(1, precision ?? 6) }
  switch (type) {
    case '%':
      return { style: 'percent', useGrouping, ...decimals(precision ?? 6, trims) }
    case 'p':
      return { style: 'percent', useGrouping, ...significant }
    case 'f':
      return { useGrouping, ...decimals(precision ?? 6, trims) }
    case 's':
      return { notation: 'compact', ...significant }
    case 'e':
      return { notation: 'scientific', ...decimals(precision ?? 6, trims) }
    case 'd':
      return { useGrouping, maximumFractionDigits: 0 }
    case 'g':
    case 'r':
      return { useGrouping, ...significant }
    default:
      return { useGrouping, maximumSignificantDigits: Math.max(1, precision ?? 12) }
  }
}

function decimals(count: number, trims: boolean): Intl.NumberFormatOptions {
  return { minimumFractionDigits: trims ? 0 : count, maximumFractionDigits: count }
}

function signs({ sign }: Specifier): Intl.NumberFormatOptions {
  return sign === '+' ? { signDisplay: 'exceptZero' } : {}
}

function money({ isCurrency, type }: Specifier, currency = 'USD'): Intl.NumberFormatOptions {
  if (!isCurrency || type === '%' || type === 'p') return {}
  return { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }
}

function numeric(write: (value: number | `${number}`) => string): NumberFormat {
  return value => {
    if (typeof value === 'number') return Number.isFinite(value) ? write(value) : String(value)
    return isNumeric(value) ? write(value) : value
  }
}

export function isNumeric(text: string): text is `${number}` {
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)
}
