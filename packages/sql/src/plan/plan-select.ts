import { SqlError, unsupported } from '../messages/sql-error.ts'
import { Unprintable } from '../print/piece.ts'
import type { Bound, BoundQuery, BoundSelect, BoundSortKey, ModelRelation } from '../shapes/bound.ts'
import { keyOf, type Mapper, mapKeys, mapQuery, mapSelect, mapValue, someValue } from '../shapes/walk.ts'
import { aggregateOutput, groupOutput, rowOutput } from './outputs.ts'
import { adHocMember, type Building, isOf, outputNamed, type PartBuilder, startPart } from './part.ts'
import { restFilter } from './rest-filter.ts'

/** A SELECT with what stands around it. */
export type SelectQuery = BoundQuery & { readonly body: BoundSelect }

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

/** Puts a condition into the part; false where it has no words for it. */
export function pushCondition(part: PartBuilder, condition: Bound): boolean {
  if (condition.kind === 'column' && condition.member?.kind === 'segment' && isOf(part, condition.relation)) {
    part.segments.add(condition.member.id)
    return true
  }
  if (
    condition.kind === 'isTruth' &&
    condition.truth === 'true' &&
    !condition.negated &&
    isSegment(condition.operand)
  ) {
    return pushCondition(part, condition.operand)
  }
  if (condition.kind === 'call' && condition.call === 'operator =' && condition.arguments.some(isSegment)) {
    const [truth] = condition.arguments.filter(argument => argument.kind === 'constant' && argument.value === 'true')
    const segment = condition.arguments.find(isSegment)
    if (truth && segment) return pushCondition(part, segment)
  }
  const filter = restFilter(condition, part.relations, false)
  if (filter) {
    part.filters.push(filter)
    return true
  }
  try {
    part.segments.add(adHocMember(part, { kind: 'segment' }, condition))
    return true
  } catch (error) {
    if (error instanceof Unprintable) return false
    throw error
  }
}

const isSegment = (value: Bound): boolean => value.kind === 'column' && value.member?.kind === 'segment'

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

function notGrouped({ name, at, member }: Extract<Bound, { kind: 'column' }>): SqlError {
  const hint = member?.kind === 'measure' ? `Write MEASURE(${name})` : null
  return new SqlError(
    '42803',
    `column "${name}" must appear in the GROUP BY clause or be used in an aggregate function`,
    at,
    hint,
  )
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

/** Order, limit and offset go into the part where nothing else comes between. */
function overPart(
  part: PartBuilder,
  query: SelectQuery,
  rest: BoundSelect,
  order: readonly BoundSortKey[],
): BoundQuery {
  const body: BoundSelect = { ...rest, from: { kind: 'part', id: part.id, part: part.id }, model: null }
  const isPlain =
    rest.where.length === 0 &&
    !rest.distinct &&
    !rest.isAggregated &&
    rest.groupBy.length === 0 &&
    rest.having.length === 0
  const keys = order.map(key => ({
    ...key,
    output:
      key.value.kind === 'column' && key.value.relation === part.id ? outputNamed(part, key.value.name) : undefined,
  }))
  const known = keys.flatMap(({ output, descending, nullsFirst }) =>
    output ? [{ output, descending, nullsFirst }] : [],
  )
  if (!isPlain || known.length < keys.length || hasWindow(rest)) return { ...query, body, order }
  part.order = known
  part.limit = countOf(query.limit)
  part.offset = countOf(query.offset)
  return { ...query, body, order, limit: null, offset: null }
}

const hasWindow = ({ targets }: BoundSelect) =>
  targets.some(({ value }) => someValue(value, inner => inner.kind === 'window' || 'query' in inner))

const countOf = (count: Bound | null): number | null =>
  count?.kind === 'constant' && count.value !== null ? Number(count.value) : null
