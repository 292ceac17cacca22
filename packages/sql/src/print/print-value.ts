import { functionOf } from '../bind/functions.ts'
import { SqlError } from '../messages/sql-error.ts'
import type { Bound, BoundFrameEnd, BoundQuery, BoundSortKey, BoundWindow } from '../shapes/bound.ts'
import { isInteger, isNumber } from '../shapes/types.ts'
import { joined, type Piece, type PrintDialect, typeName, Unprintable } from './piece.ts'

/** How many values may still be printed: some are printed several times, and those inside them as often. */
export interface PrintBudget {
  left: number
}

/** For one statement, which has its values and more but not endlessly more. */
export const printBudget = (): PrintBudget => ({ left: 500_000 })

export interface Printing {
  readonly dialect: PrintDialect
  readonly budget: PrintBudget
  /** A query inside an expression, in parentheses. */
  query(query: BoundQuery): Piece[]
}

type Node<K extends Bound['kind']> = Extract<Bound, { kind: K }>

/**
 * A value as text of the dialect that gives PostgreSQL's answer.
 *
 * @throws {Unprintable} where the dialect has no way to say it
 */
export function printValue(printing: Printing, value: Bound): Piece[] {
  const pieces = print(printing, value)
  printing.budget.left -= 1
  // What is printed once may stand in the text several times.
  if (printing.budget.left < 0 || pieces.length > mostPieces) {
    throw new SqlError('54001', 'The statement takes too much to compute', value.at)
  }
  return pieces
}

const mostPieces = 1_000_000

function print(printing: Printing, value: Bound): Piece[] {
  const { dialect } = printing
  const inside = (inner: Bound) => printValue(printing, inner)
  switch (value.kind) {
    case 'column':
      return printColumn(dialect, value)
    case 'measure':
      throw new Unprintable('A measure', value.at)
    case 'constant':
      return printConstant(dialect, value)
    case 'call':
      return printCall(printing, value)
    case 'aggregate':
      return printAggregate(printing, value)
    case 'window':
      return printWindow(printing, value)
    case 'logical':
      return ['(', ...joined(value.operands.map(inside), value.operator === 'and' ? ' AND ' : ' OR '), ')']
    case 'not':
      return ['(NOT ', ...inside(value.operand), ')']
    case 'isNull':
      return ['(', ...inside(value.operand), value.negated ? ' IS NOT NULL)' : ' IS NULL)']
    case 'isTruth':
      return ['(', ...inside(value.operand), ` IS ${value.negated ? 'NOT ' : ''}${truthWord(value)})`]
    case 'between': {
      const word = value.negated ? ' NOT BETWEEN ' : ' BETWEEN '
      return ['(', ...inside(value.operand), word, ...inside(value.low), ' AND ', ...inside(value.high), ')']
    }
    case 'in':
      // Of no values, as ANY of an empty array has it.
      if (value.items.length === 0) return [value.negated ? 'TRUE' : 'FALSE']
      return [
        '(',
        ...inside(value.operand),
        value.negated ? ' NOT IN (' : ' IN (',
        ...joined(value.items.map(inside), ', '),
        '))',
      ]
    case 'inQuery':
      return ['(', ...inside(value.operand), value.negated ? ' NOT IN ' : ' IN ', ...printing.query(value.query), ')']
    case 'exists':
      return ['EXISTS ', ...printing.query(value.query)]
    case 'scalarQuery':
      return printing.query(value.query)
    case 'case': {
      const branches = value.when.flatMap(({ condition, result }): Piece[] => [
        ' WHEN ',
        ...inside(condition),
        ' THEN ',
        ...inside(result),
      ])
      return ['CASE', ...branches, ...(value.otherwise ? [' ELSE ', ...inside(value.otherwise)] : []), ' END']
    }
    case 'cast':
      return printCast(printing, value)
    case 'array':
      return [dialect === 'duckdb' ? '[' : 'ARRAY[', ...joined(value.items.map(inside), ', '), ']']
  }
}

const truthWord = ({ truth }: Node<'isTruth'>) => (truth === 'unknown' ? 'NULL' : truth.toUpperCase())

/** What a model says of a column's type need not be what its database has: here it becomes what the model says. */
function printColumn(dialect: PrintDialect, { relation, name, type, at }: Node<'column'>): Piece[] {
  const column: Piece = { kind: 'column', relation, name }
  if (type === 'text' || type === 'timestamp' || type === 'bool')
    return ['CAST(', column, ` AS ${typeName(dialect, type, at)})`]
  return [column]
}

function printConstant(dialect: PrintDialect, { value, type, at }: Node<'constant'>): Piece[] {
  if (value === null) return type === 'unknown' ? ['NULL'] : [`CAST(NULL AS ${typeName(dialect, type, at)})`]
  if (type === 'bool') return [value === 'true' ? 'TRUE' : 'FALSE']
  if (isNumber(type)) {
    if (!/^-?(\d+\.?\d*|\.\d+)(e[-+]?\d{1,3})?$/i.test(value)) throw new Error(`${JSON.stringify(value)} is no number`)
    const written = value.startsWith('-') ? `(${value})` : value
    return [
      type === 'float8' || (type === 'int8' && value.length < 11)
        ? `CAST(${value} AS ${typeName(dialect, type, at)})`
        : written,
    ]
  }
  return ['CAST(', { kind: 'value', value, type }, ` AS ${typeName(dialect, type === 'unknown' ? 'text' : type, at)})`]
}

function printCast(printing: Printing, { operand, type, modifiers, at }: Node<'cast'>): Piece[] {
  const { dialect } = printing
  const name = typeName(dialect, type, at)
  const inner = printValue(printing, operand)
  if (type === 'numeric' && modifiers.length > 0) {
    const [precision = 18, scale = 0] = modifiers
    if (precision < 1 || precision > 38 || scale < 0 || scale > precision) throw new Unprintable('This precision', at)
    return ['CAST(', ...inner, ` AS DECIMAL(${precision},${scale}))`]
  }
  if (type === 'text' && modifiers.length > 0) return ['left(CAST(', ...inner, ` AS ${name}), ${modifiers[0] ?? 0})`]
  if (modifiers.length > 0) throw new Unprintable(`A precision of ${type}`, at)
  // Of booleans PostgreSQL writes true and false, and so does DuckDB.
  return ['CAST(', ...inner, ` AS ${name})`]
}

/** Puts arguments into a template. */
export function filled(template: string, values: readonly (readonly Piece[])[]): Piece[] {
  return template.split(/(\$\d|\$\*)/).flatMap((part): readonly Piece[] => {
    if (part === '$*') return joined(values, ', ')
    if (!/^\$\d$/.test(part)) return part === '' ? [] : [part]
    return values[Number(part.slice(1)) - 1] ?? []
  })
}

function printCall(printing: Printing, value: Node<'call'>): Piece[] {
  const { dialect } = printing
  const special = specials[value.call]
  if (special) {
    const pieces = special(printing, value)
    if (pieces) return pieces
  }
  const template = functionOf(value.call)[dialect]
  if (template === null) throw new Unprintable(`The function ${value.call} on this data source`, value.at)
  return filled(
    template,
    value.arguments.map(argument => printValue(printing, argument)),
  )
}

type Special = (printing: Printing, value: Node<'call'>) => Piece[] | null

const divide: Special = (printing, value) => {
  const [left, right] = value.arguments
  if (!left || !right) return null
  const { dialect } = printing
  const [dividend, divisor] = [printValue(printing, left), printValue(printing, right)]
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
  const unit =
    value?.kind === 'constant'
      ? value.value
          ?.toLowerCase()
          .replace(/s$/, value.value.toLowerCase().startsWith('mi') && value.value.length > 8 ? 's' : '')
      : undefined
  if (unit === undefined || !units.has(unit)) throw new Unprintable('This unit of time', value?.at ?? -1)
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
    ? ['CAST(', ...printValue(printing, time), ` AS ${typeName(printing.dialect, 'timestamp', time.at)})`]
    : printValue(printing, time)

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
  const values = [text, pattern, replacement].map(value => printValue(printing, value))
  return ['regexp_replace(', ...joined(values, ', '), given === '' ? ')' : `, '${given}')`]
}

/** Texts beside anything; DuckDB would refuse to join numbers to texts of unknown type. */
const concatenate: Special = (printing, { arguments: operands }) => {
  const name = typeName(printing.dialect, 'text', -1)
  const texts = operands.map((value): Piece[] =>
    value.type === 'text' ? printValue(printing, value) : ['CAST(', ...printValue(printing, value), ` AS ${name})`],
  )
  return ['(', ...joined(texts, ' || '), ')']
}

/** Both sides of a comparison are of one type by then; NULLIF and others are the same in both. */
const dateArithmetic =
  (operator: string): Special =>
  (printing, { arguments: [left, right], type }) => {
    if (!left || !right || type !== 'date' || printing.dialect !== 'duckdb') return null
    return ['(', ...printValue(printing, left), ` ${operator} CAST(`, ...printValue(printing, right), ' AS INTEGER))']
  }

const round: Special = (printing, { arguments: [value, digits], at }) => {
  if (!value || printing.dialect !== 'postgres' || !digits) return null
  if (digits.kind !== 'constant') throw new Unprintable('Rounding by a column', at)
  return ['round(CAST(', ...printValue(printing, value), ' AS numeric), ', ...printValue(printing, digits), ')']
}

const specials: Readonly<Record<string, Special>> = {
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

function printAggregate(printing: Printing, value: Node<'aggregate'>): Piece[] {
  const print = (inner: Bound) => printValue(printing, inner)
  const values = value.arguments.map(print)
  const order: Piece[] = value.order.length > 0 ? ['ORDER BY ', ...printKeys(printing, value.order)] : []
  const filter: Piece[] = value.filter ? [' FILTER (WHERE ', ...print(value.filter), ')'] : []
  const name = value.call === 'every' ? 'bool_and' : value.call
  if (value.withinGroup) return [`${name}(`, ...joined(values, ', '), ') WITHIN GROUP (', ...order, ')', ...filter]
  const given = values.length === 0 ? ['*'] : joined(values, ', ')
  const distinct = value.distinct ? 'DISTINCT ' : ''
  return [`${name}(${distinct}`, ...given, ...(order.length > 0 ? [' ', ...order] : []), ')', ...filter]
}

export function printKeys(printing: Printing, keys: readonly BoundSortKey[]): Piece[] {
  return joined(
    keys.map(({ value, descending, nullsFirst }) => [
      ...printValue(printing, value),
      ` ${descending ? 'DESC' : 'ASC'} NULLS ${nullsFirst ? 'FIRST' : 'LAST'}`,
    ]),
    ', ',
  )
}

function printWindow(printing: Printing, { call, arguments: given, filter, window }: Node<'window'>): Piece[] {
  const print = (inner: Bound) => printValue(printing, inner)
  const values = given.length === 0 && call === 'count' ? [['*']] : given.map(print)
  const condition: Piece[] = filter ? [' FILTER (WHERE ', ...print(filter), ')'] : []
  return [`${call}(`, ...joined(values, ', '), ')', ...condition, ' OVER (', ...printOver(printing, window), ')']
}

function printOver(printing: Printing, { partition, order, frame }: BoundWindow): Piece[] {
  const end = (bound: BoundFrameEnd): Piece[] => {
    if ('offset' in bound) return [...printValue(printing, bound.offset), ` ${bound.kind.toUpperCase()}`]
    return [
      {
        unboundedPreceding: 'UNBOUNDED PRECEDING',
        unboundedFollowing: 'UNBOUNDED FOLLOWING',
        currentRow: 'CURRENT ROW',
      }[bound.kind],
    ]
  }
  const clauses: Piece[][] = []
  if (partition.length > 0) {
    clauses.push([
      'PARTITION BY ',
      ...joined(
        partition.map(value => printValue(printing, value)),
        ', ',
      ),
    ])
  }
  if (order.length > 0) clauses.push(['ORDER BY ', ...printKeys(printing, order)])
  if (frame) {
    clauses.push([`${frame.unit.toUpperCase()} BETWEEN `, ...end(frame.start), ' AND ', ...end(frame.end)])
  }
  return joined(clauses, ' ')
}
