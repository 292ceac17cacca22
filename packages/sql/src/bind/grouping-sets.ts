import { notGrouped } from '../messages/not-grouped.ts'
import { SqlError, unsupported } from '../messages/sql-error.ts'
import type { Bound, BoundQuery, BoundSelect, BoundSortKey } from '../shapes/bound.ts'
import { keyOf, type Mapper, mapKeys, mapQuery, mapValue, someValue } from '../shapes/walk.ts'

/** A SELECT with the keys that its rows are ordered by. */
interface Ordered {
  readonly select: BoundSelect
  readonly order: readonly BoundSortKey[]
}

/** A column of all sets, with its value in each. */
interface SetColumn {
  readonly name: string
  readonly of: Bound
  valueIn(set: ReadonlySet<string>): Bound
}

/** `GROUP BY DISTINCT`: the sets that are not the same. */
export function distinctSets(sets: readonly (readonly Bound[])[]): readonly (readonly Bound[])[] {
  const keyOfSet = (set: readonly Bound[]) => [...new Set(set.map(keyOf))].toSorted().join()
  return [...new Map(sets.map(set => [keyOfSet(set), set])).values()]
}

const isGrouping = (value: Bound) => value.kind === 'call' && value.call === 'grouping'

/** `GROUPING(…)` where no set leaves a key out. @throws {SqlError} 42803 */
export function withoutGrouping({ select, order }: Ordered): Ordered {
  const { targets, having, distinct, groupBy } = select
  const values = [...targets, ...order].map(({ value }) => value)
  if (![...values, ...having, ...(distinct?.on ?? [])].some(value => someValue(value, isGrouping)))
    return { select, order }
  const keys = new Set(groupBy.map(keyOf))
  const mapper: Mapper = { value: value => (isGrouping(value) ? groupingIn(value, keys, keys) : undefined) }
  const map = (value: Bound) => mapValue(mapper, value)
  return {
    select: {
      ...select,
      targets: targets.map(target => ({ ...target, value: map(target.value) })),
      having: having.map(map),
      distinct: distinct && { on: distinct.on.map(map) },
    },
    order: mapKeys(mapper, order),
  }
}

/**
 * A SELECT with grouping sets as one over the union of a SELECT for each set. Measures and averages are computed of the rows of each
 * group, never from those of a finer set.
 *
 * @param sets keys of each set
 * @param own ids of the SELECT's own tables
 * @param unique names a table as nothing else in the statement is named
 * @throws {SqlError} 42803 for what is neither grouped by nor aggregated
 */
export function bySets(
  { select, order }: Ordered,
  sets: readonly (readonly Bound[])[],
  own: ReadonlySet<string>,
  unique: (prefix: string) => string,
): Ordered {
  const id = unique('g')
  const keys = new Map(sets.flat().map(value => [keyOf(value), value]))
  const keyNames = new Set(keys.keys())
  const columns = new Map<string, SetColumn>()
  const column = (key: string, of: Bound, valueIn: SetColumn['valueIn']): Bound => {
    const found = columns.get(key) ?? { name: `c${columns.size + 1}`, of, valueIn }
    columns.set(key, found)
    return { kind: 'column', relation: id, name: found.name, member: null, type: of.type, at: of.at }
  }
  for (const [key, value] of keys) {
    if (value.kind === 'constant') throw unsupported('A constant in grouping sets', value.at)
    column(key, value, set =>
      set.has(key) ? value : { kind: 'constant', value: null, type: value.type, at: value.at },
    )
  }
  const grouped = (value: Bound): Bound | undefined => {
    const key = keyOf(value)
    const found = keys.has(key) ? columns.get(key) : undefined
    if (found) return { ...column(key, found.of, found.valueIn), at: value.at }
    if (isGrouping(value)) return column(key, value, set => groupingIn(value, keyNames, set))
    if (value.kind === 'column' && own.has(value.relation)) throw notGrouped(value)
    return undefined
  }
  const mapper: Mapper = {
    query: nested => mapQuery({ value: grouped }, nested),
    value: value => {
      const found = grouped(value)
      if (found || (value.kind !== 'aggregate' && value.kind !== 'measure')) return found
      return { ...column(keyOf(value), value, () => value), at: value.at }
    },
  }
  const map = (value: Bound) => mapValue(mapper, value)
  const around = {
    targets: select.targets.map(target => ({ ...target, value: map(target.value) })),
    where: select.having.map(map),
    distinct: select.distinct && { on: select.distinct.on.map(map) },
  }
  const keysOfAll = mapKeys(mapper, order)
  if (columns.size === 0) column('', one(select.at), () => one(select.at))
  const query = united(sets.map(set => ofSet(select, set, [...columns.values()])))
  const from = { kind: 'query', id, query, lateral: false } as const
  return {
    select: { ...select, ...around, from, groupBy: [], having: [], isAggregated: false, model: null },
    order: keysOfAll,
  }
}

const one = (at: number): Bound => ({ kind: 'constant', value: '1', type: 'int4', at })

function ofSet(select: BoundSelect, keys: readonly Bound[], columns: readonly SetColumn[]): BoundQuery {
  const set = new Map(keys.map(value => [keyOf(value), value]))
  const names = new Set(set.keys())
  const targets = columns.map(({ name, valueIn }) => ({ name, value: valueIn(names) }))
  const aggregates = targets.some(({ value }) => value.kind === 'aggregate' || value.kind === 'measure')
  const groups = { ...select, targets, distinct: null, groupBy: [...set.values()], having: [], isAggregated: true }
  // All rows are one group, of which nothing is wanted: there is one also where there are no rows.
  const nothing = { ...groups, from: null, where: [], isAggregated: false, model: null }
  return {
    columns: columns.map(({ name, of }) => ({ name, type: of.type })),
    with: [],
    body: set.size === 0 && !aggregates ? nothing : groups,
    order: [],
    limit: null,
    offset: null,
  }
}

/** Halved, so that many are not nested deep. */
function united(queries: readonly BoundQuery[]): BoundQuery {
  const [first] = queries
  if (!first) throw new Error('there is one set at least')
  if (queries.length === 1) return first
  const middle = queries.length >> 1
  const [left, right] = [united(queries.slice(0, middle)), united(queries.slice(middle))]
  return { ...first, body: { kind: 'set', operation: 'union', all: true, left, right } }
}

/** A bit for each argument, the last one the lowest: 1 where the set leaves it out. */
function groupingIn(value: Bound, keys: ReadonlySet<string>, set: ReadonlySet<string>): Bound {
  if (value.kind !== 'call') throw new Error('GROUPING is a call')
  const bits = value.arguments.reduce((before, argument) => {
    const key = keyOf(argument)
    if (!keys.has(key)) {
      const message = 'arguments to GROUPING must be grouping expressions of the associated query level'
      throw new SqlError('42803', message, argument.at)
    }
    return before * 2 + (set.has(key) ? 0 : 1)
  }, 0)
  return { kind: 'constant', value: String(bits), type: 'int4', at: value.at }
}
