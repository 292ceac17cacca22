import { notGrouped } from '../messages/not-grouped.ts'
import { Unprintable } from '../print/piece.ts'
import type { Bound, BoundQuery, ModelRelation } from '../shapes/bound.ts'
import { keyOf, type Mapper, mapKeys, mapSelect, mapValue, someValue } from '../shapes/walk.ts'
import { betweenZones } from '../shapes/zones.ts'
import { aggregateOutput, granularityOf, groupOutput } from './outputs.ts'
import { overPart, type SelectQuery } from './over-part.ts'
import { type Building, isOf, output, type PartBuilder, startPart } from './part.ts'
import { pushCondition } from './push-condition.ts'

type Aggregate = Extract<Bound, { kind: 'aggregate' }>
type Measure = Extract<Bound, { kind: 'measure' | 'aggregate' }>

/**
 * Groups by values that the data source has no words for: the model groups by the dimensions that they are made of, and what it gives
 * is grouped once more. So it is where every measure adds up and each row that it is of is in one of the finer groups alone, and
 * counted once (`compilePart` sees to that).
 *
 * @throws {Unprintable} where that is not so
 */
export function planFinerGroups(building: Building, query: SelectQuery, model: readonly ModelRelation[]): BoundQuery {
  const { body: select } = query
  const part = startPart(building, model, false)
  part.addedUpAt = select.at
  const left = select.where.filter(condition => !pushCondition(part, condition))
  const rows: Mapper = { value: value => rowValue(building, part, value) }
  const keys = new Map(select.groupBy.map(key => [keyOf(key), mapValue(rows, key)]))
  const groups: Mapper = {
    value(value) {
      if ('query' in value) throw new Unprintable('A sub-query', value.at)
      const key = keys.get(keyOf(value))
      if (key) return { ...key, at: value.at }
      if (value.kind === 'measure') return combined(part, value)
      if (value.kind === 'aggregate') return aggregated(part, rows, value)
      if (value.kind === 'column' && isOf(part, value.relation)) throw notGrouped(value)
      return undefined
    },
  }
  const { targets, having, distinct } = mapSelect(groups, { ...select, from: null, where: [], groupBy: [] })
  const where = left.map(condition => mapValue(rows, condition))
  const order = mapKeys(groups, query.order)
  const rest = { ...select, from: null, targets, having, distinct, where, groupBy: [...keys.values()] }
  return overPart(part, query, rest, order)
}

/** A dimension, or a time cut by the model, as the part gives it; times as they are come in UTC and become local ones here. */
function rowValue(building: Building, part: PartBuilder, value: Bound): Bound | undefined {
  if ('query' in value) throw new Unprintable('A sub-query', value.at)
  const time = granularityOf(part, value) && value.kind === 'call' ? value.arguments[1] : undefined
  const column = time ?? value
  if (column.kind !== 'column' || !isOf(part, column.relation)) return undefined
  if (column.member?.kind !== 'dimension') throw new Unprintable('A value that is no dimension', value.at)
  if (time || column.member.type !== 'time' || building.timezone === 'UTC') return groupOutput(building, part, value)
  const { type, at } = column
  const inUtc = output(part, { kind: 'dimension', id: column.member.id, granularity: null, type }, at)
  return betweenZones(inUtc, 'UTC', building.timezone, 'timestamp')
}

/** A measure of the model over finer groups. */
function combined(part: PartBuilder, value: Measure): Bound {
  const { at, type } = value
  const given = aggregateOutput(part, value)
  const id = [...part.outputs.values()].find(each => given.kind === 'column' && each.name === given.name)?.id
  const member = part.relations.flatMap(({ source }) => [...source.members.values()]).find(each => each.id === id)
  if (member?.kind !== 'measure' || member.combine === null) throw new Unprintable('A measure that does not add up', at)
  const sum = aggregateOf(member.combine, [given], given.type, at)
  if (type !== 'int8') return sum
  // The sum of whole numbers is wider than they are; of no groups at all a count is 0.
  const zero: Bound = { kind: 'constant', type: 'int8', value: '0', at }
  const whole: Bound = { kind: 'cast', operand: sum, modifiers: [], type: 'int8', at }
  return member.type === 'count'
    ? { kind: 'call', call: 'coalesce', arguments: [whole, zero], type: 'int8', at }
    : whole
}

/** What repetition does not change is computed over the finer groups; rows are counted as the model counts them. */
function aggregated(part: PartBuilder, rows: Mapper, value: Aggregate): Bound {
  const { call, arguments: given, distinct, order, withinGroup, filter, at } = value
  if (call === 'count' && given.length === 0 && !filter) return combined(part, value)
  const isFree =
    order.length === 0 && !withinGroup && (call === 'min' || call === 'max' || (call === 'count' && distinct))
  const isOfRows = given.every(
    each => !someValue(each, inner => inner.kind === 'measure' || inner.kind === 'aggregate'),
  )
  if (!isFree || !isOfRows) throw new Unprintable(call, at)
  return {
    ...value,
    arguments: given.map(each => mapValue(rows, each)),
    filter: filter && mapValue(rows, filter),
  }
}

const aggregateOf = (call: string, given: readonly Bound[], type: Bound['type'], at: number): Bound => ({
  kind: 'aggregate',
  call,
  arguments: given,
  distinct: false,
  order: [],
  withinGroup: false,
  filter: null,
  type,
  at,
})
