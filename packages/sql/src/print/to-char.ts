import { SqlError } from '../messages/sql-error.ts'
import type { Bound } from '../shapes/bound.ts'
import { isMoment } from '../shapes/types.ts'
import { named, ordinal } from './named.ts'
import { printNumberToChar } from './number-to-char.ts'
import { joined, type Piece, Unprintable } from './piece.ts'
import type { Printing } from './printing.ts'
import { asTimestamp } from './times.ts'

/** DuckDB's letters for PostgreSQL's patterns that are the same, in upper case and in lower. */
const letters: Readonly<Record<string, string>> = {
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

const whole = (number: string) => `CAST(${number} AS VARCHAR)`
const padded = (number: string, length: number) => `printf('%0${length}d', ${number})`

/** Numbers that DuckDB has no letter for, of `time_given`. */
const calculated: Readonly<Record<string, string>> = {
  'Y,YYY': `${whole('year(time_given) // 1000')} || ',' || ${padded('year(time_given) % 1000', 3)}`,
  YYY: padded('year(time_given) % 1000', 3),
  Y: whole('year(time_given) % 10'),
  IYY: padded('isoyear(time_given) % 1000', 3),
  IY: padded('isoyear(time_given) % 100', 2),
  I: whole('isoyear(time_given) % 10'),
  CC: padded('(year(time_given) + 99) // 100', 2),
  Q: whole('quarter(time_given)'),
  WW: padded('(dayofyear(time_given) - 1) // 7 + 1', 2),
  W: whole('(day(time_given) - 1) // 7 + 1'),
  IDDD: padded('(week(time_given) - 1) * 7 + isodow(time_given)', 3),
  D: whole('dayofweek(time_given) + 1'),
  J: whole("CAST(time_given AS DATE) - DATE '2000-01-01' + 2451545"),
  SSSSS: whole("date_diff('second', date_trunc('day', time_given), time_given)"),
  SSSS: whole("date_diff('second', date_trunc('day', time_given), time_given)"),
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 6].map(digits => [`FF${digits}`, `left(strftime(time_given, '%f'), ${digits})`]),
  ),
}

/** Of these, FM takes no zeros away. */
const alwaysPadded = new Set(['MS', 'US', 'Y,YYY', 'SSSS', 'SSSSS', 'J', 'FF1', 'FF2', 'FF3', 'FF4', 'FF5', 'FF6'])

/** Words by their spelling; those that are padded are as long as the longest of them. */
const words: Readonly<Record<string, { readonly text: string; readonly length: number }>> = {
  month: { text: "strftime(time_given, '%B')", length: 9 },
  mon: { text: "strftime(time_given, '%b')", length: 0 },
  day: { text: "strftime(time_given, '%A')", length: 9 },
  dy: { text: "strftime(time_given, '%a')", length: 0 },
  am: { text: "strftime(time_given, '%p')", length: 0 },
  'a.m.': { text: "CASE WHEN hour(time_given) < 12 THEN 'A.M.' ELSE 'P.M.' END", length: 0 },
  ad: { text: "CASE WHEN year(time_given) > 0 THEN 'AD' ELSE 'BC' END", length: 0 },
  'a.d.': { text: "CASE WHEN year(time_given) > 0 THEN 'A.D.' ELSE 'B.C.' END", length: 0 },
  rm: {
    text: "(['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII'])[month(time_given)]",
    length: 4,
  },
  // What is local time has no zone.
  tz: { text: "''", length: 0 },
}
const synonyms: Readonly<Record<string, string>> = { pm: 'am', 'p.m.': 'a.m.', bc: 'ad', 'b.c.': 'a.d.' }

/** As PostgreSQL reads them: the longest first. */
const numberNames = [
  ...['Y,YYY', 'YYYY', 'YYY', 'YY', 'IYYY', 'IYY', 'IY', 'IDDD', 'ID', 'IW', 'MM', 'DDD', 'DD', 'HH24', 'HH12', 'HH'],
  ...['MI', 'SSSSS', 'SSSS', 'SS', 'MS', 'US', 'FF1', 'FF2', 'FF3', 'FF4', 'FF5', 'FF6', 'WW', 'CC', 'Q', 'W', 'J'],
]
const wordNames = [
  ...['MONTH', 'Month', 'month', 'MON', 'Mon', 'mon', 'DAY', 'Day', 'day', 'DY', 'Dy', 'dy', 'AM', 'PM', 'am', 'pm'],
  ...['A.M.', 'P.M.', 'a.m.', 'p.m.', 'AD', 'BC', 'ad', 'bc', 'A.D.', 'B.C.', 'a.d.', 'b.c.', 'RM', 'rm', 'TZ', 'tz'],
]
/** What begins longer ones comes after them. */
const shortNames = ['D', 'Y', 'I']

const alternatives = (names: readonly string[]) => names.map(name => name.replaceAll('.', '\\.')).join('|')
const withLower = (names: readonly string[]) => alternatives([...names, ...names.map(name => name.toLowerCase())])
const pattern = new RegExp(
  [
    '(?<bare>FM|fm)?(?:',
    `(?<number>${withLower(numberNames)})(?<ordinal>TH|th)?`,
    `|(?<word>${alternatives(wordNames)})`,
    `|(?<short>${withLower(shortNames)})(?<shortOrdinal>TH|th)?`,
    ')|"(?<quoted>[^"\\\\]*)"|(?<other>[^A-Za-z"\\\\]+)',
  ].join(''),
  'y',
)

/** PostgreSQL lets pass what is neither a letter nor quoted; these of it are letters of no meaning to DuckDB either. */
const isPlain = (text: string) => /^[ \-/:.,T]*$/.test(text)

/**
 * TO_CHAR of times and exact numbers as DuckDB says it, by constant patterns. Those of PostgreSQL that are not known here are refused.
 *
 * @throws {Unprintable} for them
 */
export function printToChar(printing: Printing, [value, format]: readonly Bound[]): Piece[] | null {
  if (!value || !format) return null
  if (value.type === 'text' || value.type === 'bool')
    throw new SqlError('42883', `to_char does not take a value of type ${value.type} there`, value.at)
  if (printing.dialect !== 'duckdb') return null
  const isExact = value.type === 'numeric' || value.type === 'int4' || value.type === 'int8'
  if (!isMoment(value.type) && !isExact) throw new Unprintable(`TO_CHAR of ${value.type} on this data source`, value.at)
  if (format.kind !== 'constant') throw new Unprintable('TO_CHAR by a pattern that is no constant', format.at)
  if (format.value === null) return ['CAST(NULL AS VARCHAR)']
  if (isExact) return printNumberToChar(printing, value, format.value, format.at)
  const texts = textsOf(readPattern(format.value, value.type === 'timestamptz', format.at))
  // Of no pattern at all, as of a null, PostgreSQL makes a null.
  if (texts.length === 0) return ['CAST(NULL AS VARCHAR)']
  return [
    'list_transform([',
    ...asTimestamp(printing, value),
    '], lambda time_given: CASE WHEN time_given IS NOT NULL THEN ',
    ...joined(texts, ' || '),
    ' END)[1]',
  ]
}

type Step = { readonly literal: string } | { readonly letters: string } | { readonly text: string }

/** What DuckDB has letters for is written in one go. */
function textsOf(steps: readonly Step[]): Piece[][] {
  const texts: Piece[][] = []
  let format = ''
  const close = () => {
    if (format !== '') texts.push([`strftime(time_given, '${format}')`])
    format = ''
  }
  for (const step of steps) {
    if ('letters' in step) format += step.letters
    else if ('literal' in step && isPlain(step.literal)) format += step.literal
    else {
      close()
      texts.push(
        'text' in step
          ? [`(${step.text})`]
          : ['CAST(', { kind: 'value', value: step.literal, type: 'text' }, ' AS VARCHAR)'],
      )
    }
  }
  close()
  return texts
}

function readPattern(text: string, hasZone: boolean, at: number): Step[] {
  const refuse = (from: number) =>
    new Unprintable(`The pattern '${text.slice(from, from + 20)}' of TO_CHAR on this data source`, at)
  if (text.length > 1_000) throw refuse(0)
  const steps: Step[] = []
  for (let from = 0; from < text.length; ) {
    pattern.lastIndex = from
    const match = pattern.exec(text)
    if (!match) throw refuse(from)
    const { bare, word, quoted, other, number, short, ordinal: end, shortOrdinal } = match.groups ?? {}
    const literal = quoted ?? other
    const isZone = word?.toLowerCase() === 'tz'
    if (
      (literal !== undefined && bare !== undefined) ||
      (isZone && (hasZone || /^[HM]/i.test(text.slice(pattern.lastIndex))))
    )
      throw refuse(from)
    if (literal !== undefined) steps.push({ literal })
    else if (word !== undefined) steps.push({ text: worded(word, bare !== undefined) })
    else steps.push(numbered((number ?? short ?? '').toUpperCase(), bare !== undefined, end ?? shortOrdinal))
    from = pattern.lastIndex
  }
  return steps
}

function numbered(name: string, isBare: boolean, end: string | undefined): Step {
  const own = letters[name]
  if (own !== undefined && !isBare && end === undefined) return { letters: own }
  const text = own === undefined ? (calculated[name] ?? '') : `strftime(time_given, '${own}')`
  const written = isBare && !alwaysPadded.has(name) ? `CAST(CAST(${text} AS INTEGER) AS VARCHAR)` : text
  if (end === undefined) return { text: written }
  return { text: named('time_number', written, `time_number || ${ordinal('time_number', end === 'TH')}`) }
}

function worded(name: string, isBare: boolean): string {
  const lower = name.toLowerCase()
  const { text, length } = words[synonyms[lower] ?? lower] ?? { text: "''", length: 0 }
  const cased = name === name.toUpperCase() ? `upper(${text})` : name === lower ? `lower(${text})` : text
  return length > 0 && !isBare ? `rpad(${cased}, ${length}, ' ')` : cased
}
