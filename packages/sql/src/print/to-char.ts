import { SqlError } from '../messages/sql-error.ts'
import type { Bound } from '../shapes/bound.ts'
import { isMoment } from '../shapes/types.ts'
import { joined, type Piece, Unprintable } from './piece.ts'
import type { Printing } from './printing.ts'
import { asTimestamp } from './times.ts'

/** DuckDB's letters for PostgreSQL's patterns that are the same, in upper case and in lower. */
const numbers: Readonly<Record<string, string>> = {
  YYYY: '%Y',
  YY: '%y',
  IYYY: '%G',
  MM: '%m',
  DDD: '%j',
  DD: '%d',
  ID: '%u',
  IW: '%V',
  HH24: '%H',
  HH12: '%I',
  HH: '%I',
  MI: '%M',
  SS: '%S',
  MS: '%g',
  US: '%f',
}

/** Numbers that DuckDB has no letter for, of the time `$`. */
const calculated: Readonly<Record<string, readonly [before: string, after: string]>> = {
  D: ['CAST(dayofweek(', ') + 1 AS VARCHAR)'],
  Q: ['CAST(quarter(', ') AS VARCHAR)'],
  WW: ['lpad(CAST((dayofyear(', ") - 1) // 7 + 1 AS VARCHAR), 2, '0')"],
}

/** Names of nine letters by their spelling, short ones, and halves of a day. */
const names: Readonly<Record<string, { readonly letters: string; readonly isPadded: boolean }>> = {
  month: { letters: '%B', isPadded: true },
  mon: { letters: '%b', isPadded: false },
  day: { letters: '%A', isPadded: true },
  dy: { letters: '%a', isPadded: false },
  am: { letters: '%p', isPadded: false },
  pm: { letters: '%p', isPadded: false },
}

const pattern =
  /(FM|fm)?(?:(YYYY|YY|IYYY|MM|DDD|DD|ID|IW|HH24|HH12|HH|MI|SS|MS|US|WW|Q|yyyy|yy|iyyy|mm|ddd|dd|id|iw|hh24|hh12|hh|mi|ss|ms|us|ww|q)|(MONTH|Month|month|MON|Mon|mon|DAY|Day|day|DY|Dy|dy|AM|PM|am|pm)|(D|d))|"([^"\\]*)"|([^A-Za-z"\\]+)/y

/** What looks like one of the patterns and goes on to be another one. */
const longer = /SSSS|ssss|IDDD|iddd|Y,YYY|y,yyy/

/** PostgreSQL lets pass what is neither a letter nor quoted; these of it are letters of no meaning to DuckDB either. */
const isPlain = (text: string) => /^[ \-/:.,T]*$/.test(text)

/**
 * TO_CHAR of a time as DuckDB says it. Numbers, and patterns of PostgreSQL that are not known here, are refused.
 *
 * @throws {Unprintable} for them
 */
export function printToChar(printing: Printing, [value, format]: readonly Bound[]): Piece[] | null {
  if (!value || !format) return null
  if (value.type === 'text' || value.type === 'bool')
    throw new SqlError('42883', `to_char does not take a value of type ${value.type} there`, value.at)
  if (printing.dialect !== 'duckdb') return null
  if (!isMoment(value.type)) throw new Unprintable(`TO_CHAR of ${value.type} on this data source`, value.at)
  if (format.kind !== 'constant') throw new Unprintable('TO_CHAR by a pattern that is no constant', format.at)
  if (format.value === null) return ['CAST(NULL AS VARCHAR)']
  const time = () => asTimestamp(printing, value)
  const texts: Piece[][] = []
  let letters = ''
  const close = () => {
    if (letters !== '') texts.push(['strftime(', ...time(), `, '${letters}')`])
    letters = ''
  }
  for (const step of readPattern(format.value, format.at)) {
    if ('literal' in step && isPlain(step.literal)) letters += step.literal
    else if ('letters' in step && step.around === null) letters += step.letters
    else {
      close()
      if ('literal' in step) texts.push(['CAST(', { kind: 'value', value: step.literal, type: 'text' }, ' AS VARCHAR)'])
      else if ('letters' in step) {
        const [before, after] = step.around ?? ['', '']
        texts.push([`${before}strftime(`, ...time(), `, '${step.letters}')${after}`])
      } else texts.push([step.before, ...time(), step.after])
    }
  }
  close()
  // Of no pattern at all, as of a null, PostgreSQL makes a null.
  if (texts.length === 0) return ['CAST(NULL AS VARCHAR)']
  return ['CASE WHEN ', ...time(), ' IS NOT NULL THEN ', ...joined(texts, ' || '), ' END']
}

type Step =
  | { readonly literal: string }
  | { readonly letters: string; readonly around: readonly [string, string] | null }
  | { readonly before: string; readonly after: string }

function readPattern(text: string, at: number): Step[] {
  const refuse = (from: number) =>
    new Unprintable(`The pattern '${text.slice(from, from + 20)}' of TO_CHAR on this data source`, at)
  const found = longer.exec(text)
  if (found || text.length > 1_000) throw refuse(found?.index ?? 0)
  const steps: Step[] = []
  for (let from = 0; from < text.length; ) {
    pattern.lastIndex = from
    const match = pattern.exec(text)
    if (!match) throw refuse(from)
    from = pattern.lastIndex
    const [, bare, number, name, weekday, quoted, other] = match
    const isBare = bare !== undefined
    const literal = quoted ?? other
    if (literal !== undefined && isBare) throw refuse(match.index)
    if (literal !== undefined) steps.push({ literal })
    else if (name !== undefined) steps.push(named(name, isBare))
    else steps.push(numbered((number ?? weekday ?? '').toUpperCase(), isBare))
  }
  return steps
}

function numbered(name: string, isBare: boolean): Step {
  const whole = ['CAST(CAST(', ' AS INTEGER) AS VARCHAR)'] as const
  const letters = numbers[name]
  if (letters !== undefined) return { letters, around: isBare ? whole : null }
  const [before = '', after = ''] = calculated[name] ?? []
  return isBare ? { before: whole[0] + before, after: after + whole[1] } : { before, after }
}

function named(name: string, isBare: boolean): Step {
  const { letters, isPadded } = names[name.toLowerCase()] ?? { letters: '', isPadded: false }
  const cased: readonly [string, string] =
    name === name.toUpperCase() ? ['upper(', ')'] : name === name.toLowerCase() ? ['lower(', ')'] : ['', '']
  const [before, after] = cased
  return { letters, around: isPadded && !isBare ? [`rpad(${before}`, `${after}, 9, ' ')`] : cased }
}
