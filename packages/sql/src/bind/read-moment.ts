import { SqlError, unsupported } from '../messages/sql-error.ts'
import type { Bound } from '../shapes/bound.ts'

/** What the elements of a pattern read: digits at most, all of them but for fractions. */
const elements = { YYYY: 4, HH24: 2, MM: 2, DD: 2, MI: 2, SS: 2, MS: 3, US: 6 } as const
type Element = keyof typeof elements

const part = /(?<element>YYYY|HH24|MM|DD|MI|SS|MS|US)|"(?<quoted>[^"]*)"|(?<separators>[^A-Z0-9"]+)/gy
const isElement = (name: string | undefined): name is Element => name !== undefined && Object.hasOwn(elements, name)

/**
 * `to_timestamp(text, pattern)` and `to_date(text, pattern)` of constants, as BI tools write moments: the local time of the session
 * that the text says. Texts have to be written just as the pattern is, where PostgreSQL passes over some differences.
 *
 * @throws {SqlError} for what is no constant, other elements of patterns, and texts that are no such moment.
 */
export function readMoment(name: 'to_timestamp' | 'to_date', given: readonly Bound[], at: number): Bound {
  const [text, pattern] = given
  if (!text || !pattern) throw new Error('a text and its pattern')
  const called = name.toUpperCase()
  for (const value of given) {
    if (value.kind === 'constant' && (value.type === 'unknown' || value.type === 'text')) continue
    throw unsupported(`${called} of a value that is no constant text`, value.at, 'You can convert it by CAST')
  }
  const type = name === 'to_date' ? 'date' : 'timestamptz'
  if (text.kind !== 'constant' || pattern.kind !== 'constant' || text.value === null || pattern.value === null) {
    return { kind: 'constant', type, value: null, at }
  }
  const found = readParts(called, text.value, readPattern(called, pattern.value, pattern.at), text.at)
  const date = `${found.YYYY ?? '0001'}-${found.MM ?? '01'}-${found.DD ?? '01'}`
  const time = `${found.HH24 ?? '00'}:${found.MI ?? '00'}:${found.SS ?? '00'}`
  const local = new Date(`${date}T${time}Z`)
  if (Number.isNaN(local.getTime()) || local.toISOString().slice(0, 19) !== `${date}T${time}`) {
    throw new SqlError('22008', `date/time field value out of range: "${text.value.slice(0, 100)}"`, text.at)
  }
  const fraction = found.US ?? found.MS
  const value = type === 'date' ? date : `${date}T${time}${fraction === undefined ? '' : `.${fraction}`}`
  return { kind: 'constant', type, value, at }
}

type PatternPart = { readonly element: Element } | { readonly literal: string }

function readPattern(called: string, pattern: string, at: number): PatternPart[] {
  const parts: PatternPart[] = []
  let end = 0
  for (const [whole, name, quoted, separators] of pattern.toUpperCase().matchAll(part)) {
    end += whole.length
    parts.push(isElement(name) ? { element: name } : { literal: quoted ?? separators ?? '' })
  }
  const seen = parts.flatMap(each => ('element' in each ? [each.element] : []))
  const isKnown = end === pattern.length && seen.includes('YYYY') && new Set(seen).size === seen.length
  if (isKnown && !(seen.includes('MS') && seen.includes('US'))) return parts
  throw unsupported(
    `The pattern "${pattern.slice(0, 100)}" of ${called}`,
    at,
    `Patterns have YYYY and others of ${Object.keys(elements).join(', ')} once, separators and quoted text`,
  )
}

function readParts(
  called: string,
  text: string,
  pattern: readonly PatternPart[],
  at: number,
): Partial<Record<Element, string>> {
  const found: Partial<Record<Element, string>> = {}
  let place = 0
  for (const each of pattern) {
    const length = 'literal' in each ? each.literal.length : elements[each.element]
    const piece = text.slice(place, place + length)
    if ('literal' in each) {
      if (piece.toUpperCase() !== each.literal) throw notAsPattern(called, text, at)
      place += length
      continue
    }
    const isFraction = each.element === 'MS' || each.element === 'US'
    const [digits = ''] = /^\d*/.exec(piece) ?? []
    if (digits === '' || (!isFraction && digits.length < length)) throw notAsPattern(called, text, at)
    found[each.element] = digits
    place += digits.length
  }
  if (place !== text.length) throw notAsPattern(called, text, at)
  return found
}

const notAsPattern = (called: string, text: string, at: number) =>
  new SqlError('22007', `${called}: the text "${text.slice(0, 100)}" is not written as its pattern`, at)
