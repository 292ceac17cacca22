import type { ProblemLog } from '../messages/model-messages.ts'
import { measureKinds } from '../shapes/measure-kinds.ts'
import type { Format, Formatting } from '../shapes/model.ts'
import type { JsonValue } from '../shapes/source.ts'
import type { Located } from '../shapes/tree.ts'
import { measureTypes } from '../shapes/vocabulary.ts'

type FormatDescription = NonNullable<Formatting['formatDescription']>

/** Formats that clients know by name alone. */
const simpleNumeric: Readonly<Record<string, string>> = { percent: '.2%', currency: '$,.2f', number: ',.2f', id: '.0f' }
const plainNames = ['imageUrl', 'link', 'currency', 'percent', 'number', 'id']

/** Named formats with a number of decimals, as d3-format specifiers. */
const namedNumeric: Readonly<Record<string, (decimals: string) => string>> = {
  number: decimals => `,.${decimals}f`,
  percent: decimals => `.${decimals}%`,
  currency: decimals => `$,.${decimals}f`,
  abbr: decimals => `.${decimals}s`,
  accounting: decimals => `(,.${decimals}f`,
}
const namedWithoutDecimals = ['abbr', 'accounting']

const d3NumericPattern = /^(?:.?[<>=^])?[+\-( ]?[$#]?0?\d*,?(?:\.\d+)?~?[efgrs%pbodxXcn]?$/
const timeSpecifiers = 'aAbBcdHIjmMnpStUwWxXyYZ%efgGLqQsuV'

export interface FormatRequest {
  readonly kind: 'measure' | 'dimension'
  readonly type: string
  readonly format: Located<JsonValue> | null
  readonly currency: Located<string> | null
}

/** Of measures, and `number` of dimensions. */
const numericTypes: readonly string[] = measureTypes.filter(type => measureKinds[type].values === 'number')

/** Checks `format` and `currency` of a member and settles how clients show it. */
export function resolveFormatting({ kind, type, format, currency }: FormatRequest, log: ProblemLog): Formatting {
  const isNumeric = numericTypes.includes(type)
  const code = currency ? resolveCurrency(currency, kind, type, isNumeric, log) : null
  if (!format) return { format: null, formatDescription: null, currency: code }
  const written = format.value
  if (typeof written !== 'string') return { format: linkFormat(format, log), formatDescription: null, currency: code }
  if (isNumeric) return { ...numericFormat(written, format, code, log), currency: code }
  if (!plainNames.includes(written) && type === 'time') {
    return { format: timeFormat(written, format, log), formatDescription: null, currency: code }
  }
  if (!plainNames.includes(written)) log.report(format.at, 'format_plain', { value: written })
  return { format: written, formatDescription: null, currency: code }
}

function resolveCurrency(
  currency: Located<string>,
  kind: FormatRequest['kind'],
  type: string,
  isNumeric: boolean,
  log: ProblemLog,
): string {
  if (!isNumeric && kind === 'dimension') log.report(currency.at, 'currency_dimension', {})
  else if (!isNumeric) log.report(currency.at, 'currency_measure', { type })
  const code = currency.value.toUpperCase()
  if (!currencyCodes().has(code)) log.report(currency.at, 'currency_code', { code: currency.value })
  return code
}

let knownCodes: Set<string> | undefined
function currencyCodes(): Set<string> {
  knownCodes ??= new Set(Intl.supportedValuesOf('currency'))
  return knownCodes
}

function linkFormat({ value, at }: Located<JsonValue>, log: ProblemLog): Format | null {
  if (value !== null && typeof value === 'object' && 'type' in value && 'label' in value) {
    const { type, label } = value
    if (type === 'link' && typeof label === 'string') return { type, label }
  }
  log.report(at, 'format_plain', { value: JSON.stringify(value) })
  return null
}

function numericFormat(
  written: string,
  { at }: Located<JsonValue>,
  currency: string | null,
  log: ProblemLog,
): Pick<Formatting, 'format' | 'formatDescription'> {
  const describe = (name: string, specifier: string): FormatDescription =>
    /^currency(_|$)/.test(name) && currency ? { name, specifier, currency } : { name, specifier }
  if (Object.hasOwn(simpleNumeric, written)) {
    return { format: written, formatDescription: describe(written, simpleNumeric[written] ?? '') }
  }
  if (plainNames.includes(written)) return { format: written, formatDescription: null }
  const [, base = '', decimals] = /^([a-z]+)(?:_([0-6]))?$/.exec(written) ?? []
  if (Object.hasOwn(namedNumeric, base) && (decimals !== undefined || namedWithoutDecimals.includes(base))) {
    const value = namedNumeric[base]?.(decimals ?? '2') ?? ''
    return { format: { type: 'custom-numeric', value, alias: written }, formatDescription: describe(written, value) }
  }
  if (written !== '' && d3NumericPattern.test(written)) {
    return { format: { type: 'custom-numeric', value: written }, formatDescription: describe('custom', written) }
  }
  log.report(at, /^[a-zA-Z]+(_\w+)?$/.test(written) ? 'format_name' : 'format_numeric', { value: written })
  return { format: null, formatDescription: null }
}

function timeFormat(written: string, { at }: Located<JsonValue>, log: ProblemLog): Format {
  const directives = written.match(/%[-_0]?(.|$)/gs) ?? []
  const sound = directives.length > 0 && directives.every(directive => timeSpecifiers.includes(directive.slice(-1)))
  if (!sound) log.report(at, 'format_time', { value: written })
  return { type: 'custom-time', value: written }
}
