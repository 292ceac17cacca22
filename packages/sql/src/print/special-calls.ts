import type { Bound } from '../shapes/bound.ts'
import { isInteger } from '../shapes/types.ts'
import { joined, type Piece, typeName, Unprintable } from './piece.ts'
import type { Printing } from './printing.ts'

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

/** A unit of time travels as text of ours, not as a value: databases choose the function by it. */
const units = new Set([
  ...['microseconds', 'milliseconds', 'second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'],
  ...['decade', 'century', 'millennium', 'dow', 'isodow', 'doy', 'epoch', 'isoyear'],
])

function unitOf(value: Bound | undefined): string {
  const written = value?.kind === 'constant' ? value.value?.toLowerCase() : undefined
  const unit = [written, written?.replace(/s$/, '')].find(name => name !== undefined && units.has(name))
  if (unit === undefined) throw new Unprintable('This unit of time', value?.at ?? -1)
  return unit
}

/**
 * DuckDB (1.5) rewrites a comparison of `date_trunc` with a constant into one that is false where it has to be null. It does not
 * see through an addition.
 */
const truncate: Special = (printing, { arguments: [unit, time] }) => {
  if (!time) return null
  const cut: Piece[] = [`date_trunc('${unitOf(unit)}', `, ...asTimestamp(printing, time), ')']
  return printing.dialect === 'duckdb' ? ['(', ...cut, ' + INTERVAL 0 SECOND)'] : cut
}

const asTimestamp = (printing: Printing, time: Bound): Piece[] =>
  time.type === 'date'
    ? ['CAST(', ...printing.value(time), ` AS ${typeName(printing.dialect, 'timestamp', time.at)})`]
    : printing.value(time)

const datePart: Special = (printing, { arguments: [unit, time] }) => {
  if (!time) return null
  const name = unitOf(unit)
  if (printing.dialect === 'duckdb' && name === 'second') {
    return ["(date_part('microseconds', ", ...asTimestamp(printing, time), ') / 1000000.0)']
  }
  return [`date_part('${name}', `, ...asTimestamp(printing, time), ')']
}

const difference: Special = (printing, { arguments: [unit, from, to] }) => {
  if (!from || !to || printing.dialect !== 'duckdb') return null
  return [`date_diff('${unitOf(unit)}', `, ...asTimestamp(printing, from), ', ', ...asTimestamp(printing, to), ')']
}

/** PostgreSQL replaces the first match unless told otherwise; flags are text of ours. */
const replaceByPattern: Special = (printing, { arguments: [text, pattern, replacement, flags] }) => {
  if (!text || !pattern || !replacement) return null
  const given = flags?.kind === 'constant' ? flags.value : flags ? null : ''
  if (given === null || !/^[gi]*$/.test(given)) throw new Unprintable('These flags of a pattern', flags?.at ?? -1)
  const values = [text, pattern, replacement].map(value => printing.value(value))
  return ['regexp_replace(', ...joined(values, ', '), given === '' ? ')' : `, '${given}')`]
}

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

const round: Special = (printing, { arguments: [value, digits], at }) => {
  if (!value || printing.dialect !== 'postgres' || !digits) return null
  if (digits.kind !== 'constant') throw new Unprintable('Rounding by a column', at)
  return ['round(CAST(', ...printing.value(value), ' AS numeric), ', ...printing.value(digits), ')']
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
  regexp_replace: replaceByPattern,
  round,
}
