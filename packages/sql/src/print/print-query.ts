import type { Bound, BoundBody, BoundFrom, BoundQuery, BoundSelect, Relation } from '../shapes/bound.ts'
import { joined, type Piece, type PrintDialect, quoted, typeName, Unprintable } from './piece.ts'
import { printKeys, printValue } from './print-value.ts'
import type { PrintBudget, Printing } from './printing.ts'

/** Where the rows of a relation come from, as text that can stand in FROM; null: they can't be read there. */
export type PrintRelation = (relation: Relation) => Piece[] | null

/** A query as pieces of text, its columns called as the query calls them. */
export function printQuery(
  dialect: PrintDialect,
  query: BoundQuery,
  relation: PrintRelation,
  budget: PrintBudget,
): Piece[] {
  const printing: Printing = {
    dialect,
    budget,
    value: value => printValue(printing, value),
    query: inner => ['(', ...writeQuery(printing, inner, relation), ')'],
  }
  return writeQuery(printing, query, relation)
}

function writeQuery(printing: Printing, query: BoundQuery, relation: PrintRelation): Piece[] {
  const { with: tables, body, order, limit, offset, columns } = query
  const pieces: Piece[] = []
  if (tables.length > 0) {
    const written = tables.map(({ id, query: inner }): Piece[] => [
      `${quoted(id)}(${inner.columns.map(({ name }) => quoted(name)).join(', ')}) AS (`,
      ...writeQuery(printing, inner, relation),
      ')',
    ])
    pieces.push('WITH ', ...joined(written, ', '), ' ')
  }
  pieces.push(
    ...writeBody(
      printing,
      body,
      columns.map(({ name }) => name),
      relation,
    ),
  )
  if (order.length > 0) {
    pieces.push(' ORDER BY ', ...(body.kind === 'select' ? printKeys(printing, order) : positionKeys(order)))
  }
  if (limit?.kind === 'constant' && limit.value !== null) pieces.push(` LIMIT ${digits(limit.value)}`)
  if (offset?.kind === 'constant' && offset.value !== null) pieces.push(` OFFSET ${digits(offset.value)}`)
  return pieces
}

function digits(value: string): string {
  if (!/^\d+$/.test(value)) throw new Error(`${JSON.stringify(value)} is no count`)
  return value
}

const positionKeys = (order: BoundQuery['order']): Piece[] => [
  order
    .map(({ value, descending, nullsFirst }) => {
      const position = value.kind === 'column' ? value.name : ''
      return `${digits(position)} ${descending ? 'DESC' : 'ASC'} NULLS ${nullsFirst ? 'FIRST' : 'LAST'}`
    })
    .join(', '),
]

function writeBody(printing: Printing, body: BoundBody, names: readonly string[], relation: PrintRelation): Piece[] {
  if (body.kind === 'select') return writeSelect(printing, body, names, relation)
  if (body.kind === 'values') {
    const rows = body.rows.map((row): Piece[] => [
      '(',
      ...joined(
        row.map(value => printValue(printing, value)),
        ', ',
      ),
      ')',
    ])
    const columns = names.map(name => quoted(name)).join(', ')
    return ['SELECT * FROM (VALUES ', ...joined(rows, ', '), `) AS "values"(${columns})`]
  }
  const side = (query: BoundQuery): Piece[] => ['(', ...writeQuery(printing, query, relation), ')']
  const word = `${body.operation.toUpperCase()}${body.all ? ' ALL' : ''}`
  return [...side(body.left), ` ${word} `, ...side(body.right)]
}

function writeSelect(
  printing: Printing,
  select: BoundSelect,
  names: readonly string[],
  relation: PrintRelation,
): Piece[] {
  const print = (value: Bound) => printValue(printing, value)
  const all = (values: readonly Bound[], between: string) => joined(values.map(print), between)
  const pieces: Piece[] = ['SELECT ']
  if (select.distinct) {
    pieces.push(
      ...(select.distinct.on.length > 0 ? ['DISTINCT ON (', ...all(select.distinct.on, ', '), ') '] : ['DISTINCT ']),
    )
  }
  const targets = select.targets.map(({ value, name }, position) => [
    ...print(value),
    ` AS ${quoted(names[position] ?? name)}`,
  ])
  pieces.push(...(targets.length > 0 ? joined(targets, ', ') : ['NULL']))
  if (select.from) pieces.push(' FROM ', ...writeFrom(printing, select.from, relation))
  if (select.where.length > 0) pieces.push(' WHERE ', ...all(select.where, ' AND '))
  if (select.groupBy.length > 0)
    pieces.push(
      ' GROUP BY ',
      ...joined(
        select.groupBy.map(value => groupKey(printing, value)),
        ', ',
      ),
    )
  if (select.having.length > 0) pieces.push(' HAVING ', ...all(select.having, ' AND '))
  return pieces
}

/** A number by itself would be taken for a position. */
function groupKey(printing: Printing, value: Bound): Piece[] {
  const printed = printValue(printing, value)
  if (value.kind !== 'constant') return printed
  const type = value.type === 'unknown' ? 'text' : value.type
  return ['CAST(', ...printed, ` AS ${typeName(printing.dialect, type, value.at)})`]
}

function writeFrom(printing: Printing, from: BoundFrom, relation: PrintRelation): Piece[] {
  if (from.kind === 'join') {
    const type = from.on === null ? 'CROSS' : from.type.toUpperCase()
    if (from.on === null && from.type !== 'cross') throw new Error(`a ${from.type} join without a condition`)
    const on: Piece[] = from.on ? [' ON ', ...printValue(printing, from.on)] : []
    const left = writeFrom(printing, from.left, relation)
    return [
      '(',
      ...left,
      ` ${type === 'CROSS' && on.length > 0 ? 'INNER' : type} JOIN `,
      ...writeFrom(printing, from.right, relation),
      ...on,
      ')',
    ]
  }
  const written = relation(from)
  if (written) return [...written, ` AS ${quoted(from.id)}`]
  switch (from.kind) {
    case 'query': {
      const columns = from.query.columns.map(({ name }) => quoted(name)).join(', ')
      return [
        from.lateral ? 'LATERAL (' : '(',
        ...writeQuery(printing, from.query, relation),
        `) AS ${quoted(from.id)}(${columns})`,
      ]
    }
    case 'common': {
      const columns = from.columns.map(({ name }) => quoted(name)).join(', ')
      return [`${quoted(from.table)} AS ${quoted(from.id)}(${columns})`]
    }
    case 'function':
      return [...printValue(printing, from.call), ` AS ${quoted(from.id)}(${quoted(from.column.name)})`]
    default:
      throw new Unprintable('This table', -1)
  }
}
