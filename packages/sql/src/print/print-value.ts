import { functionOf } from '../bind/functions.ts'
import { SqlError } from '../messages/sql-error.ts'
import type { Bound, BoundFrameEnd, BoundSortKey, BoundWindow } from '../shapes/bound.ts'
import { isNumber } from '../shapes/types.ts'
import { filled, joined, type Piece, type PrintDialect, typeName, Unprintable } from './piece.ts'
import type { Printing } from './printing.ts'
import { specialCalls } from './special-calls.ts'
import { printXirr } from './xirr.ts'

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
  // DuckDB would give numbers beside it the places of the type.
  if (value === null && dialect === 'duckdb' && type === 'numeric') return ['NULL']
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

function printCall(printing: Printing, value: Node<'call'>): Piece[] {
  const { dialect } = printing
  const special = specialCalls[value.call]
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

function printAggregate(printing: Printing, value: Node<'aggregate'>): Piece[] {
  const print = (inner: Bound) => printValue(printing, inner)
  const values = value.arguments.map(print)
  const order: Piece[] = value.order.length > 0 ? ['ORDER BY ', ...printKeys(printing, value.order)] : []
  const filter: Piece[] = value.filter ? [' FILTER (WHERE ', ...print(value.filter), ')'] : []
  if (value.call === 'xirr') return printXirr(printing, value.arguments, value.distinct, filter, value.at)
  const name = value.call === 'every' ? 'bool_and' : value.call
  if (value.withinGroup && value.call === 'percentile_cont' && printing.dialect === 'duckdb') {
    // DuckDB would cut what lies between two decimals to their digits.
    const [key] = value.order
    const among: Piece[] = key ? ['CAST(', ...print(key.value), ` AS DOUBLE) ${key.descending ? 'DESC' : 'ASC'}`] : []
    return ['percentile_cont(', ...joined(values, ', '), ') WITHIN GROUP (ORDER BY ', ...among, ')', ...filter]
  }
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

function printWindow(printing: Printing, { call, arguments: given, filter, window, at }: Node<'window'>): Piece[] {
  const print = (inner: Bound) => printValue(printing, inner)
  const values = given.length === 0 && call === 'count' ? [['*']] : given.map(print)
  const condition: Piece[] = filter ? [' FILTER (WHERE ', ...print(filter), ')'] : []
  const over: Piece[] = [...condition, ' OVER (', ...printOver(printing, window), ')']
  if (call === 'xirr') return printXirr(printing, given, false, over, at)
  return [`${call}(`, ...joined(values, ', '), ')', ...over]
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
