import type {
  Bound,
  BoundBody,
  BoundFrame,
  BoundFrameEnd,
  BoundFrom,
  BoundQuery,
  BoundSelect,
  BoundSortKey,
  BoundWindow,
  Relation,
} from './bound.ts'

/** What to put in the place of a node; undefined: the node with its parts mapped. */
export interface Mapper {
  value?(value: Bound): Bound | undefined
  relation?(relation: Relation): Relation | undefined
  query?(query: BoundQuery): BoundQuery | undefined
}

export function mapValue(mapper: Mapper, value: Bound): Bound {
  const replaced = mapper.value?.(value)
  if (replaced) return replaced
  const map = (inner: Bound) => mapValue(mapper, inner)
  switch (value.kind) {
    case 'column':
    case 'measure':
    case 'constant':
      return value
    case 'call':
      return { ...value, arguments: value.arguments.map(map) }
    case 'aggregate':
      return {
        ...value,
        arguments: value.arguments.map(map),
        order: mapKeys(mapper, value.order),
        filter: value.filter && map(value.filter),
      }
    case 'window':
      return {
        ...value,
        arguments: value.arguments.map(map),
        filter: value.filter && map(value.filter),
        window: mapWindow(mapper, value.window),
      }
    case 'logical':
      return { ...value, operands: value.operands.map(map) }
    case 'not':
    case 'isNull':
    case 'isTruth':
    case 'cast':
      return { ...value, operand: map(value.operand) }
    case 'between':
      return { ...value, operand: map(value.operand), low: map(value.low), high: map(value.high) }
    case 'in':
      return { ...value, operand: map(value.operand), items: value.items.map(map) }
    case 'inQuery':
      return { ...value, operand: map(value.operand), query: mapQuery(mapper, value.query) }
    case 'exists':
    case 'scalarQuery':
      return { ...value, query: mapQuery(mapper, value.query) }
    case 'case':
      return {
        ...value,
        when: value.when.map(({ condition, result }) => ({ condition: map(condition), result: map(result) })),
        otherwise: value.otherwise && map(value.otherwise),
      }
    case 'array':
      return { ...value, items: value.items.map(map) }
  }
}

export const mapKeys = (mapper: Mapper, keys: readonly BoundSortKey[]): BoundSortKey[] =>
  keys.map(key => ({ ...key, value: mapValue(mapper, key.value) }))

function mapWindow(mapper: Mapper, { partition, order, frame }: BoundWindow): BoundWindow {
  const end = (bound: BoundFrameEnd): BoundFrameEnd =>
    'offset' in bound ? { ...bound, offset: mapValue(mapper, bound.offset) } : bound
  const mapFrame = ({ unit, start, end: last }: BoundFrame): BoundFrame => ({ unit, start: end(start), end: end(last) })
  return {
    partition: partition.map(value => mapValue(mapper, value)),
    order: mapKeys(mapper, order),
    frame: frame && mapFrame(frame),
  }
}

export function mapQuery(mapper: Mapper, query: BoundQuery): BoundQuery {
  const replaced = mapper.query?.(query)
  if (replaced) return replaced
  return {
    ...query,
    with: query.with.map(table => ({ ...table, query: mapQuery(mapper, table.query) })),
    body: mapBody(mapper, query.body),
    order: mapKeys(mapper, query.order),
  }
}

function mapBody(mapper: Mapper, body: BoundBody): BoundBody {
  if (body.kind === 'values') return { ...body, rows: body.rows.map(row => row.map(value => mapValue(mapper, value))) }
  if (body.kind === 'set') return { ...body, left: mapQuery(mapper, body.left), right: mapQuery(mapper, body.right) }
  return mapSelect(mapper, body)
}

export function mapSelect(mapper: Mapper, select: BoundSelect): BoundSelect {
  const map = (value: Bound) => mapValue(mapper, value)
  return {
    ...select,
    distinct: select.distinct && { on: select.distinct.on.map(map) },
    targets: select.targets.map(({ name, value }) => ({ name, value: map(value) })),
    from: select.from && mapFrom(mapper, select.from),
    where: select.where.map(map),
    groupBy: select.groupBy.map(map),
    having: select.having.map(map),
  }
}

export function mapFrom(mapper: Mapper, from: BoundFrom): BoundFrom {
  if (from.kind === 'join') {
    const on = from.on && mapValue(mapper, from.on)
    return { ...from, left: mapFrom(mapper, from.left), right: mapFrom(mapper, from.right), on }
  }
  const replaced = mapper.relation?.(from)
  if (replaced) return replaced
  if (from.kind === 'query') return { ...from, query: mapQuery(mapper, from.query) }
  return from.kind === 'function' ? { ...from, call: mapValue(mapper, from.call) } : from
}

/** Calls `visit` for every value in a value, those of queries inside it too; where it gives false, not for those below. */
export function visitValue(value: Bound, visit: (value: Bound) => boolean | undefined): void {
  mapValue({ value: inner => (visit(inner) === false ? inner : undefined) }, value)
}

export function someValue(value: Bound, test: (value: Bound) => boolean): boolean {
  let found = false
  visitValue(value, inner => {
    found ||= test(inner)
    return !found
  })
  return found
}

/** The same text for values that are the same wherever they stand. */
export const keyOf = (value: Bound): string =>
  JSON.stringify(value, (key, inner: unknown) => {
    if (key === 'at' || key === 'parameter') return undefined
    if (key === 'member') return typeof inner === 'object' && inner !== null ? Reflect.get(inner, 'id') : inner
    return inner
  })
