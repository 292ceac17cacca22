import { notGrouped } from '../messages/not-grouped.ts'
import { unsupported } from '../messages/sql-error.ts'
import { Unprintable } from '../print/piece.ts'
import type { Bound, BoundQuery, BoundSelect, ModelRelation } from '../shapes/bound.ts'
import { keyOf, type Mapper, mapKeys, mapQuery, mapSelect, mapValue, someValue } from '../shapes/walk.ts'
import { aggregateOutput, groupOutput, rowOutput } from './outputs.ts'
import { overPart, type SelectQuery } from './over-part.ts'
import { type Building, isOf, type PartBuilder, startPart } from './part.ts'
import { planFinerGroups } from './plan-finer-groups.ts'
import { pushCondition } from './push-condition.ts'
import { restFilter } from './rest-filter.ts'

/** A SELECT over tables of the model as a question to the model, and what is left to compute over its answer. */
export function planModelSelect(building: Building, query: SelectQuery, model: readonly ModelRelation[]): BoundQuery {
  const select = grouped(query.body)
  if (!select.isAggregated) return planRows(building, { ...query, body: select }, model)
  const before = building.parts.length
  try {
    return planGroups(building, { ...query, body: select }, model)
  } catch (error) {
    if (!(error instanceof Unprintable)) throw error
    // What the model has no words for is computed from all of the rows, unless it is the model that has to aggregate them.
    building.parts.length = before
    const measure = valuesOf(query).find(value => someValue(value, inner => inner.kind === 'measure'))
    if (measure) {
      const finer = tryFinerGroups(building, { ...query, body: select }, model)
      if (finer) return finer
      const hint = 'Aggregate measures in a sub-query without it'
      throw unsupported(
        `${error.what} in a SELECT that aggregates measures`,
        error.at >= 0 ? error.at : measure.at,
        hint,
      )
    }
    return planRows(building, { ...query, body: select }, model)
  }
}

function tryFinerGroups(building: Building, query: SelectQuery, model: readonly ModelRelation[]): BoundQuery | null {
  const before = building.parts.length
  try {
    return planFinerGroups(building, query, model)
  } catch (error) {
    if (!(error instanceof Unprintable)) throw error
    building.parts.length = before
    return null
  }
}

/** DISTINCT of dimensions alone is grouping by them. */
function grouped(select: BoundSelect): BoundSelect {
  const { distinct, targets, isAggregated } = select
  const isPlain = ({ value }: BoundSelect['targets'][number]) =>
    !someValue(
      value,
      inner =>
        inner.kind === 'window' || 'query' in inner || (inner.kind === 'column' && inner.member?.kind === 'measure'),
    )
  if (!distinct || distinct.on.length > 0 || isAggregated || !targets.every(isPlain)) return select
  return { ...select, distinct: null, isAggregated: true, groupBy: targets.map(({ value }) => value) }
}

const valuesOf = ({ body: { targets, having }, order }: SelectQuery): Bound[] => [
  ...targets.map(({ value }) => value),
  ...having,
  ...order.map(({ value }) => value),
]

function planGroups(building: Building, query: SelectQuery, model: readonly ModelRelation[]): BoundQuery {
  const { body: select } = query
  const part = startPart(building, model, false)
  for (const condition of select.where) {
    if (!pushCondition(part, condition)) throw new Unprintable('This condition', condition.at)
  }
  const keys = new Map(select.groupBy.map(key => [keyOf(key), groupOutput(building, part, key)]))
  // Queries inside were planned before: their aggregates are their own, and what they see of this one are its groups.
  const inside: Mapper = {
    value(value) {
      const key = keys.get(keyOf(value))
      if (key) return { ...key, at: value.at }
      if (value.kind === 'column' && isOf(part, value.relation)) throw notGrouped(value)
      return undefined
    },
  }
  const mapper: Mapper = {
    query: nested => mapQuery(inside, nested),
    value(value) {
      const key = keys.get(keyOf(value))
      if (key) return { ...key, at: value.at }
      if (value.kind === 'measure' || value.kind === 'aggregate') return aggregateOutput(part, value)
      if (value.kind === 'column' && isOf(part, value.relation)) throw notGrouped(value)
      return undefined
    },
  }
  const having = select.having.filter(condition => {
    const filter = restFilter(condition, model, true)
    if (filter) part.filters.push(filter)
    return !filter
  })
  const rest = mapSelect(mapper, { ...select, from: null, where: [], groupBy: [], having: [] })
  const where = having.map(condition => mapValue(mapper, condition))
  const order = mapKeys(mapper, query.order)
  return overPart(part, query, { ...rest, where, isAggregated: false }, order)
}

function planRows(building: Building, query: SelectQuery, model: readonly ModelRelation[]): BoundQuery {
  const { body: select } = query
  const part = startPart(building, model, true)
  const left = select.where.filter(condition => hasMeasure(condition) || !pushCondition(part, condition))
  const mapper = rowMapper(building, part)
  const rest = mapSelect(mapper, { ...select, from: null, where: left })
  const order = mapKeys(mapper, query.order)
  if (part.outputs.size === 0) anyOutput(building, part, model)
  return overPart(part, query, rest, order)
}

const hasMeasure = (value: Bound) =>
  someValue(value, inner => inner.kind === 'column' && inner.member?.kind === 'measure')

/** Columns of the part's tables become columns of the part. */
export const rowMapper = (building: Building, part: PartBuilder): Mapper => ({
  value: value =>
    value.kind === 'column' && isOf(part, value.relation) ? rowOutput(building, part, value) : undefined,
})

/** Rows of which nothing is wanted but that they are there. */
export function anyOutput(building: Building, part: PartBuilder, model: readonly ModelRelation[]): void {
  for (const { id, source, at } of model) {
    const members = [...source.members.values()].filter(({ kind }) => kind === 'dimension')
    const member = members.find(each => each.kind === 'dimension' && each.isPrimaryKey) ?? members[0]
    if (!member) continue
    rowOutput(building, part, { kind: 'column', relation: id, name: member.name, member, type: 'text', at })
    return
  }
  throw unsupported('A SELECT of no dimension from a table that has none', model[0]?.at ?? null)
}
