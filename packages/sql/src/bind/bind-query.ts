import { SqlError } from '../messages/sql-error.ts'
import type { Bound, BoundBody, BoundColumn, BoundCommonTable, BoundQuery, BoundSortKey } from '../shapes/bound.ts'
import type { Body, Expression, Query, SortKey } from '../shapes/tree.ts'
import { commonType, isNumber } from '../shapes/types.ts'
import { bindExpression } from './bind-expression.ts'
import { bindSelect } from './bind-select.ts'
import type { Binding, Surroundings } from './binding.ts'
import { alike, coerce } from './coerce.ts'
import { type CommonTables, createScope, type Scope } from './scope.ts'

/**
 * Looks up every name of a query as the caller may see the model, and decides the type of every value.
 *
 * @throws {SqlError} with PostgreSQL's code and the place
 */
export function bindQuery(surroundings: Surroundings, query: Query): BoundQuery {
  let names = 0
  const binding: Binding = {
    ...surroundings,
    unique: prefix => `${prefix}${++names}`,
    query: (inner, parent, common) => bind(binding, inner, parent, common),
    expression: (expression, scope) => bindExpression(binding, expression, scope),
  }
  return bind(binding, query, null, new Map())
}

function bind(binding: Binding, query: Query, parent: Scope | null, outer: CommonTables): BoundQuery {
  const common = new Map(outer)
  const tables = query.with.map((table): BoundCommonTable => {
    const bound = bind(binding, table.query, parent, common)
    const columns = bound.columns.map((column, position) => ({
      ...column,
      name: table.columns[position] ?? column.name,
    }))
    if (table.columns.length > columns.length) {
      throw new SqlError(
        '42P10',
        `"${table.name}" has ${columns.length} columns and ${table.columns.length} names are given`,
        table.at,
      )
    }
    const id = binding.unique('w')
    common.set(table.name, { id, columns })
    return { id, query: { ...bound, columns } }
  })
  const limit = bindCount(binding, query.limit)
  const offset = bindCount(binding, query.offset)
  const { body, order, columns } = bindBody(binding, query.body, query.order, parent, common)
  return { columns, with: tables, body, order, limit, offset }
}

interface BoundParts {
  readonly body: BoundBody
  readonly order: readonly BoundSortKey[]
  readonly columns: readonly BoundColumn[]
}

function bindBody(
  binding: Binding,
  body: Body,
  order: readonly SortKey[],
  parent: Scope | null,
  common: CommonTables,
): BoundParts {
  if (body.kind === 'select') {
    const bound = bindSelect(binding, body, order, parent, common)
    const columns = bound.select.targets.map(({ name, value }) => ({ name, type: value.type }))
    return { body: bound.select, order: bound.order, columns }
  }
  if (body.kind === 'values') {
    const scope = createScope(parent, common)
    const rows = body.rows.map(row => row.map(value => binding.expression(value, scope)))
    const width = rows[0]?.length ?? 0
    if (rows.some(row => row.length !== width))
      throw new SqlError('42601', 'VALUES lists must all be the same length', body.at)
    const typed = Array.from({ length: width }, (_, position) =>
      alike(
        rows.flatMap(row => row[position] ?? []),
        'VALUES',
      ),
    )
    const columns = typed.map(({ type }, position) => ({ name: `column${position + 1}`, type }))
    const values = rows.map((_, row) => typed.flatMap(column => column.values[row] ?? []))
    return { body: { kind: 'values', rows: values }, order: positions(order, columns), columns }
  }
  const sides = [bind(binding, body.left, parent, common), bind(binding, body.right, parent, common)] as const
  const word = body.kind.toUpperCase()
  if (sides[0].columns.length !== sides[1].columns.length) {
    throw new SqlError('42601', `each ${word} query must have the same number of columns`, body.at)
  }
  const left = withLiteralsAs(sides[0], sides[1].columns)
  const right = withLiteralsAs(sides[1], left.columns)
  const columns = left.columns.map(({ name, type }, position) => {
    const other = right.columns[position]?.type ?? type
    const common_ = commonType(type, other)
    if (common_ === null) throw new SqlError('42804', `${word} types ${type} and ${other} cannot be matched`, body.at)
    return { name, type: common_ }
  })
  return {
    body: { kind: 'set', operation: body.kind, all: body.all, left, right },
    order: positions(order, columns),
    columns,
  }
}

/** NULL and quoted values that are selected as they are take the type of what a set operation puts them beside, which would else be text. */
function withLiteralsAs(query: BoundQuery, beside: readonly BoundColumn[]): BoundQuery {
  const { body } = query
  const isWanted = query.columns.some(({ type }, position) => type === 'text' && beside[position]?.type !== 'text')
  if (!isWanted) return query
  if (body.kind === 'set') {
    const [left, right] = [withLiteralsAs(body.left, beside), withLiteralsAs(body.right, beside)]
    const columns = query.columns.map((column, position) => {
      const [one, other] = [left.columns[position]?.type, right.columns[position]?.type]
      return { ...column, type: (one && other && commonType(one, other)) ?? column.type }
    })
    return { ...query, body: { ...body, left, right }, columns }
  }
  if (body.kind !== 'select') return query
  const targets = body.targets.map((target, position) => {
    const type = beside[position]?.type ?? 'text'
    const { value } = target
    if (value.kind !== 'constant' || value.type !== 'text' || type === 'text') return target
    return { ...target, value: coerce({ ...value, type: 'unknown' }, type) }
  })
  const columns = query.columns.map((column, position) => ({
    ...column,
    type: targets[position]?.value.type ?? column.type,
  }))
  return { ...query, body: { ...body, targets }, columns }
}

/** Rows of no one SELECT are ordered by the names and positions of their columns. */
function positions(order: readonly SortKey[], columns: readonly BoundColumn[]): BoundSortKey[] {
  return order.map(({ value, descending, nullsFirst }) => {
    const name = value.kind === 'column' && value.names.length === 1 ? value.names[0] : undefined
    const number = value.kind === 'constant' && value.value.type === 'integer' ? Number(value.value.value) - 1 : -1
    const position = name === undefined ? number : columns.findIndex(column => column.name === name)
    const column = columns[position]
    if (!column) {
      throw new SqlError('42P10', 'ORDER BY of a set operation takes names or positions of its columns', value.at)
    }
    const key: Bound = {
      kind: 'column',
      relation: '',
      name: String(position + 1),
      member: null,
      type: column.type,
      at: value.at,
    }
    return { value: key, descending, nullsFirst }
  })
}

function bindCount(binding: Binding, count: Expression | null): Bound | null {
  if (!count) return null
  const given = binding.expression(count, createScope(null, new Map()))
  const bound = coerce(given.kind === 'cast' && isNumber(given.type) ? given.operand : given, 'int8')
  if (bound.kind !== 'constant') throw new SqlError('0A000', 'LIMIT and OFFSET take a number', count.at)
  // A parameter without a value is one of which only the type is wanted.
  if (bound.value === null) return bound.parameter === undefined ? null : bound
  if (!/^\d{1,15}$/.test(bound.value))
    throw new SqlError('2201W', 'LIMIT and OFFSET must be whole numbers that are not negative', count.at)
  return { ...bound, type: 'int8' }
}
