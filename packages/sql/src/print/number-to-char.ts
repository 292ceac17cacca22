import type { Bound } from '../shapes/bound.ts'
import { named, ordinal } from './named.ts'
import { type Piece, Unprintable } from './piece.ts'
import type { Printing } from './printing.ts'

/** What is written for numbers, as a pattern of PostgreSQL's says it. */
interface NumberPattern {
  readonly before: string
  readonly after: string
  /** FM: no blanks, and no zeros at the end but where the pattern has them. */
  readonly isBare: boolean
  /** Of the digits before the point: as many, commas after how many, and from which on zeros are written (from 1; null: none). */
  readonly digits: number
  readonly commas: readonly number[]
  readonly zerosFrom: number | null
  readonly hasPoint: boolean
  readonly decimals: number
  /** So many decimals are written whatever they are. */
  readonly leastDecimals: number
  /** V: the number times ten to this power, as a whole. */
  readonly shift: number
  readonly sign: { readonly word: string; readonly isBehind: boolean } | null
  readonly ordinal: 'TH' | 'th' | null
}

const literal = String.raw`((?:"[^"\\]*"|[^A-Za-z0-9.,"\\<>+\-])*)`
const words = 'SG|S|MI|PL|sg|s|mi|pl'
const format = new RegExp(
  `^${literal}(?:(FM|fm)${literal})?(${words})?([09,Gg]*)(?:([.Dd])([09]*)|[Vv](9+))?(${words}|PR|pr|TH|th)?${literal}$`,
  'u',
)
const scientific = /^[09]*(?:[.Dd]([09]*))?(?:EEEE|eeee)$/
const roman = /^(FM|fm)?(RN|rn)$/

/** More digits than the numbers of DuckDB have. */
const mostDigits = 38
/** As many decimals as a number of unknown exactness keeps (`numeric`, docs/sql-api.md). */
const mostDecimals = 12

/**
 * TO_CHAR of an exact number as DuckDB says it, by a constant pattern.
 *
 * @throws {Unprintable} for patterns that are not known here, some of which PostgreSQL refuses too
 */
export function printNumberToChar(printing: Printing, value: Bound, pattern: string, at: number): Piece[] {
  const refuse = () => new Unprintable(`The pattern '${pattern.slice(0, 20)}' of TO_CHAR on this data source`, at)
  const written = writtenBy(pattern, value.type === 'int4')
  if (written === null) throw refuse()
  const constant = (text: string): Piece[] => ['CAST(', { kind: 'value', value: text, type: 'text' }, ' AS VARCHAR)']
  return [
    ...(written.before === '' ? ['('] : ['(', ...constant(written.before), ' || ']),
    'list_transform([',
    ...printing.value(value),
    `], lambda number_given: CASE WHEN number_given IS NOT NULL THEN ${written.text} END)[1]`,
    ...(written.after === '' ? [')'] : [' || ', ...constant(written.after), ')']),
  ]
}

interface Written {
  /** Over `number_given`. */
  readonly text: string
  readonly before: string
  readonly after: string
}

const alone = (text: string): Written => ({ text, before: '', after: '' })

/** Null: by no pattern that is known. */
function writtenBy(pattern: string, isShortInteger: boolean): Written | null {
  if (pattern.length > 100) return null
  const inRoman = roman.exec(pattern)
  if (inRoman) return alone(romanText(inRoman[1] !== undefined, inRoman[2] === 'RN'))
  const exponential = scientific.exec(pattern)
  if (exponential) {
    const decimals = exponential[1]?.length ?? 0
    // PostgreSQL makes a double of a short integer, which rounds ties otherwise.
    return isShortInteger || decimals > 30 || /^[.Dd]/.test(pattern) ? null : alone(scientificText(decimals))
  }
  const read = readFormat(pattern)
  return read && { text: plainText(read), before: read.before, after: read.after }
}

function readFormat(pattern: string): NumberPattern | null {
  const found = format.exec(pattern)
  if (!found) return null
  const [
    ,
    before = '',
    bare,
    behindBare = '',
    first,
    whole = '',
    point,
    decimals = '',
    shifted = '',
    last,
    after = '',
  ] = found
  if (first !== undefined && last !== undefined) return null
  const digits = whole.replaceAll(/[,Gg]/g, '')
  const commas = [...whole].flatMap((character, position) =>
    /[,Gg]/.test(character) ? [whole.slice(0, position).replaceAll(/[,Gg]/g, '').length] : [],
  )
  if (digits.length + decimals.length + shifted.length > mostDigits || decimals.length > mostDecimals) return null
  // What a comma or a point beside nothing means is not worth knowing.
  if (digits === '' || commas.includes(0) || commas.includes(digits.length)) return null
  if ((point !== undefined) !== decimals.length > 0) return null
  // Behind V, PostgreSQL writes S before the number.
  if (shifted.length > mostDecimals || (shifted !== '' && last?.toUpperCase() === 'S')) return null
  const zero = digits.indexOf('0')
  const word = last ?? first
  const isOrdinal = word === 'TH' || word === 'th'
  return {
    before: unquoted(before + behindBare),
    after: unquoted(after),
    isBare: bare !== undefined,
    digits: digits.length + shifted.length,
    commas,
    zerosFrom: zero < 0 ? null : zero + 1,
    hasPoint: point !== undefined,
    decimals: decimals.length,
    leastDecimals: decimals.lastIndexOf('0') + 1,
    shift: shifted.length,
    sign: word === undefined || isOrdinal ? null : { word: word.toUpperCase(), isBehind: last !== undefined },
    ordinal: isOrdinal ? word : null,
  }
}

const unquoted = (text: string) => text.replaceAll('"', '')

/** The digits of the number with so many decimals or fewer. Of what is no exact number in DuckDB the decimals that a `numeric` keeps there. */
const rounded = (decimals: number): string => {
  const as = (number: string) => `CAST(round(${number}, ${decimals}) AS VARCHAR)`
  return [
    `CASE WHEN typeof(number_given) LIKE '%INT%' THEN CAST(number_given AS VARCHAR)`,
    `WHEN typeof(number_given) LIKE 'DECIMAL%' THEN ${as('number_given')}`,
    `ELSE ${as(`CAST(number_given AS DECIMAL(38, ${mostDecimals}))`)} END`,
  ].join(' ')
}

function plainText(pattern: NumberPattern): string {
  const { digits, decimals, shift, isBare, zerosFrom, hasPoint, leastDecimals } = pattern
  const kept = decimals + shift
  const fraction = `rpad(split_part(number_text, '.', 2), ${kept}, '0')`
  const whole = `split_part(ltrim(number_text, '-'), '.', 1)`
  const all = `ltrim(${shift > 0 ? `${whole} || ${fraction}` : whole}, '0')`
  const isOver = `length(number_whole) > ${digits}`
  const trimmed = `left(number_rest, ${leastDecimals}) || rtrim(substr(number_rest, ${leastDecimals + 1}), '0')`
  const shown = `CASE WHEN ${isOver} THEN '${'#'.repeat(decimals)}' ELSE ${isBare ? trimmed : 'number_rest'} END`
  // A zero stands alone, where nothing follows it or only what FM leaves away.
  const zeros = Math.max(zerosFrom === null ? 0 : digits - zerosFrom + 1, decimals === 0 && digits > 0 ? 1 : 0)
  const isAlone = isBare && zeros === 0 && digits > 0 ? `number_whole = '' AND number_shown = ''` : 'false'
  const least = `CASE WHEN ${isAlone} THEN 1 ELSE ${zeros} END`
  const filled = `lpad(number_whole, CAST(greatest(length(number_whole), ${least}) AS INTEGER), '0')`
  const cells = `CASE WHEN ${isOver} THEN '${'#'.repeat(digits)}' ELSE lpad(${filled}, ${digits}, ' ') END`
  const body = `${hasPoint ? `number_body || '.' || number_shown` : 'number_body'}`
  return [
    ['number_text', rounded(kept)],
    ['number_whole', all],
    ['number_rest', decimals > 0 ? fraction : `''`],
    ['number_shown', shown],
    ['number_cells', cells],
    ['number_body', `ltrim(${separated(pattern)}, ' ,')`],
  ].reduceRight((inner, [name = '', value = '']) => named(name, value, inner), withSign(pattern, body))
}

/** The digits and blanks before the point with commas between them. */
function separated({ commas, digits }: NumberPattern): string {
  const ends = [0, ...commas, digits]
  const pieces = ends
    .slice(1)
    .map((end, position) => `substr(number_cells, ${(ends[position] ?? 0) + 1}, ${end - (ends[position] ?? 0)})`)
  return pieces.join(` || ',' || `)
}

function withSign(pattern: NumberPattern, body: string): string {
  const { isBare, sign, commas, digits } = pattern
  const negative = `starts_with(number_text, '-')`
  const mark = (minus: string, plus: string) =>
    `CASE WHEN ${negative} THEN '${isBare ? minus.trim() : minus}' ELSE '${isBare ? plus.trim() : plus}' END`
  const blanks = isBare ? `''` : `repeat(' ', ${digits + commas.length} - length(number_body))`
  const parts = (): string[] => {
    switch (sign?.word) {
      case undefined:
        return [blanks, mark('-', ' '), body]
      case 'S':
        return sign?.isBehind ? [blanks, body, mark('-', '+')] : [blanks, mark('-', '+'), body]
      case 'PR':
        return [blanks, mark('<', ' '), body, mark('>', ' ')]
      case 'PL': {
        const number = [blanks, mark('-', ' '), body]
        return sign?.isBehind ? [...number, mark(' ', '+')] : [mark(' ', '+'), ...number]
      }
      default: {
        const own = sign?.word === 'MI' ? mark('-', ' ') : mark('-', '+')
        return sign?.isBehind ? [blanks, body, own] : [own, blanks, body]
      }
    }
  }
  const hasOrdinal = pattern.ordinal !== null && !pattern.hasPoint
  const end = hasOrdinal
    ? [
        `CASE WHEN ${negative} OR ends_with(number_body, '#') THEN '' ELSE ${ordinal('number_body', pattern.ordinal === 'TH')} END`,
      ]
    : []
  return [...parts(), ...end].map(part => `(${part})`).join(' || ')
}

const numerals = [
  ['', 'M', 'MM', 'MMM'],
  ['', 'C', 'CC', 'CCC', 'CD', 'D', 'DC', 'DCC', 'DCCC', 'CM'],
  ['', 'X', 'XX', 'XXX', 'XL', 'L', 'LX', 'LXX', 'LXXX', 'XC'],
  ['', 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX'],
] as const

function romanText(isBare: boolean, isUpper: boolean): string {
  const places = numerals.map((letters, position) => {
    const list = letters.map(letter => `'${isUpper ? letter : letter.toLowerCase()}'`).join(', ')
    return `([${list}])[CAST(substr(number_cells, ${position + 1}, 1) AS INTEGER) + 1]`
  })
  const text = named('number_cells', `lpad(number_text, 4, '0')`, places.join(' || '))
  const inside = 'try_cast(number_text AS INTEGER) BETWEEN 1 AND 3999'
  const written = isBare ? text : `lpad(${text}, 15, ' ')`
  const whole = `split_part(${rounded(0)}, '.', 1)`
  return named('number_text', whole, `CASE WHEN ${inside} THEN ${written} ELSE '${'#'.repeat(15)}' END`)
}

/** One digit, decimals, and the power of ten. Of a double in the digits that are needed to tell it from others. */
function scientificText(decimals: number): string {
  const taken = decimals + 1
  const mantissa = `split_part(number_text, 'e', 1)`
  const power = `coalesce(try_cast(split_part(number_text, 'e', 2) AS INTEGER), 0)`
  const places = `length(split_part(${mantissa}, '.', 1))`
  const exponent = `CASE WHEN number_digits = '' THEN 0 ELSE ${places} - length(replace(${mantissa}, '.', '')) + length(number_digits) - 1 + ${power} END`
  const enough = `rpad(number_digits, ${taken + 1}, '0')`
  const up = `CASE WHEN substr(${enough}, ${taken + 1}, 1) >= '5' THEN 1 ELSE 0 END`
  const sum = `CAST(CAST(left(${enough}, ${taken}) AS HUGEINT) + ${up} AS VARCHAR)`
  const most = `lpad(${sum}, greatest(${taken}, length(${sum}))::INTEGER, '0')`
  const written = [
    `CASE WHEN number_given < 0 THEN '-' ELSE ' ' END`,
    // PostgreSQL keeps the power of a number that is rounded up to the next one: 10.0e+02.
    `left(number_most, length(number_most) - ${decimals})`,
    decimals > 0 ? `'.' || right(number_most, ${decimals})` : `''`,
    `CASE WHEN number_power < 0 THEN 'e-' ELSE 'e+' END`,
    `CASE WHEN abs(number_power) < 10 THEN '0' ELSE '' END`,
    'CAST(abs(number_power) AS VARCHAR)',
  ].map(part => `(${part})`)
  return [
    ['number_text', `ltrim(CAST(number_given AS VARCHAR), '-')`],
    ['number_digits', `ltrim(replace(${mantissa}, '.', ''), '0')`],
    ['number_power', exponent],
    ['number_most', most],
  ].reduceRight((inner, [name = '', value = '']) => named(name, value, inner), written.join(' || '))
}
