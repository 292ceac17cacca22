import type { Bound } from '../shapes/bound.ts'
import { isInteger } from '../shapes/types.ts'
import { printReplace, printSubstring } from './patterns.ts'
import { joined, type Piece, typeName, Unprintable } from './piece.ts'
import type { Printing } from './printing.ts'
import { printDifference } from './time-difference.ts'
import { asTimestamp, unitOf } from './times.ts'
import { printToChar } from './to-char.ts'

type Node<K extends Bound['kind']> = Extract<Bound, { kind: K }>

type Special = (printing: Printing, value: Node<'call'>) => Piece[] | null

const divide: Special = (printing, value) => {
  const [left, right] = value.arguments
  if (!left || !right) return null
  const { dialect } = printing
  const [dividend, divisor] = [printing.value(left), printing.value(right)]
  if (left.type === 'interval') return null
  const isWhole = isInteger(left.type) && isInteger(right.type)
  if (dialect === 'postgres') {
    if (isWhole || value.type === 'float8') return ['(', ...dividend, ' / ', ...divisor, ')']
    return ['(CAST(', ...dividend, ' AS numeric) / ', ...divisor, ')']
  }
  const operator = value.call !== 'operator /' ? ' % ' : isWhole ? ' // ' : ' / '
  const quotient: Piece[] = ['(', ...dividend, operator, ...divisor, ')']
  return isNeverZero(right)
    ? quotient
    : ['CASE WHEN ', ...divisor, " = 0 THEN error('division by zero') ELSE ", ...quotient, ' END']
}

const isNeverZero = (value: Bound): boolean =>
  (value.kind === 'constant' && value.value !== null && Number(value.value) !== 0) ||
  (value.kind === 'call' &&
    value.call === 'nullif' &&
    value.arguments[1]?.kind === 'constant' &&
    Number(value.arguments[1].value) === 0)

const remainder: Special = (printing, value) => (printing.dialect === 'duckdb' ? divide(printing, value) : null)

/**
 * DuckDB (1.5) rewrites a comparison of `date_trunc` with a constant into one that is false where it has to be null. It does not
 * see through an addition.
 */
const truncate: Special = (printing, { arguments: [unit, time] }) => {
  if (!time) return null
  const cut: Piece[] = [`date_trunc('${unitOf(unit)}', `, ...asTimestamp(printing, time), ')']
  return printing.dialect === 'duckdb' ? ['(', ...cut, ' + INTERVAL 0 SECOND)'] : cut
}

const datePart: Special = (printing, { arguments: [unit, time] }) => {
  if (!time) return null
  const name = unitOf(unit)
  if (printing.dialect === 'duckdb' && name === 'second') {
    return ["(date_part('microseconds', ", ...asTimestamp(printing, time), ') / 1000000.0)']
  }
  return [`date_part('${name}', `, ...asTimestamp(printing, time), ')']
}

const difference: Special = (printing, { arguments: given }) => printDifference(printing, given)

/** Texts beside anything; DuckDB would refuse to join numbers to texts of unknown type. */
const concatenate: Special = (printing, { arguments: operands }) => {
  const name = typeName(printing.dialect, 'text', -1)
  const texts = operands.map((value): Piece[] =>
    value.type === 'text' ? printing.value(value) : ['CAST(', ...printing.value(value), ` AS ${name})`],
  )
  return ['(', ...joined(texts, ' || '), ')']
}

/** Both sides of a comparison are of one type by then; NULLIF and others are the same in both. */
const dateArithmetic =
  (operator: string): Special =>
  (printing, { arguments: [left, right], type }) => {
    if (!left || !right || type !== 'date' || printing.dialect !== 'duckdb') return null
    return ['(', ...printing.value(left), ` ${operator} CAST(`, ...printing.value(right), ' AS INTEGER))']
  }

/** Doubles half-way between two whole numbers become the even one; exact numbers the one further from 0, in both databases. */
const round: Special = (printing, { arguments: [value, digits], at }) => {
  if (value?.type === 'float8' && !digits && printing.dialect === 'duckdb')
    return ['round_even(CAST(', ...printing.value(value), ' AS DOUBLE), 0)']
  if (!value || printing.dialect !== 'postgres' || !digits) return null
  if (digits.kind !== 'constant') throw new Unprintable('Rounding by a column', at)
  return ['round(CAST(', ...printing.value(value), ' AS numeric), ', ...printing.value(digits), ')']
}

/** Positions before the first character count too, of which there is nothing; DuckDB would count them from the end. */
const substring: Special = (printing, { arguments: [text, start, length] }) => {
  if (!text || !start || printing.dialect !== 'duckdb') return null
  const isPlain = (value: Bound | undefined, least: number) =>
    value === undefined || (value.kind === 'constant' && value.value !== null && Number(value.value) >= least)
  if (isPlain(start, 1) && isPlain(length, 0)) return null
  const [value, from] = [printing.value(text), printing.value(start)]
  const begin: Piece[] = ['CASE WHEN ', ...from, ' < 1 THEN 1 ELSE ', ...from, ' END']
  if (!length) return ['substring(', ...value, ', ', ...begin, ')']
  const count = printing.value(length)
  const end: Piece[] = [...from, ' + ', ...count]
  const some: Piece[] = ['substring(', ...value, ', ', ...begin, ', ', ...end, ' - ', ...begin, ')']
  const none: Piece[] = ["error('negative substring length not allowed')"]
  const nothing: Piece[] = ['left(', ...value, ', 0)']
  return ['CASE WHEN ', ...count, ' < 0 THEN ', ...none, ' WHEN ', ...end, ' <= 1 THEN ', ...nothing, ' ELSE ', ...some, ' END'] // biome-ignore format: one expression
}

/** Texts are filled up with blanks where nothing else is said. */
const pad: Special = (printing, value) => {
  const [text, length, fill] = value.arguments
  if (!text || !length || fill || printing.dialect !== 'duckdb') return null
  const blank: Bound = { kind: 'constant', type: 'text', value: ' ', at: value.at }
  return printing.value({ ...value, arguments: [text, length, blank] })
}

/** PostgreSQL joins flags to texts as it shows them, by letters. */
const concatenateAll: Special = (printing, value) => {
  if (printing.dialect !== 'duckdb' || !value.arguments.some(({ type }) => type === 'bool')) return null
  const letter = (text: string, at: number): Bound => ({ kind: 'constant', type: 'text', value: text, at })
  const given = value.arguments.map((each): Bound => {
    if (each.type !== 'bool') return each
    const { at } = each
    const when = [
      { condition: each, result: letter('t', at) },
      { condition: { kind: 'not', operand: each, type: 'bool', at } as const, result: letter('f', at) },
    ]
    return { kind: 'case', when, otherwise: null, type: 'text', at }
  })
  return printing.value({ ...value, arguments: given })
}

/** Calls that are written otherwise than by their template; null: by it after all. */
export const specialCalls: Readonly<Record<string, Special>> = {
  'operator /': divide,
  'operator %': remainder,
  mod: remainder,
  'operator ||': concatenate,
  'operator +': dateArithmetic('+'),
  'operator -': dateArithmetic('-'),
  date_trunc: truncate,
  date_part: datePart,
  extract: datePart,
  datediff: difference,
  to_char: (printing, { arguments: given }) => printToChar(printing, given),
  regexp_replace: (printing, { arguments: given }) => printReplace(printing, given),
  regexp_substr: (printing, { arguments: given }) => printSubstring(printing, given),
  round,
  substring,
  substr: substring,
  lpad: pad,
  rpad: pad,
  concat: concatenateAll,
  concat_ws: concatenateAll,
}
