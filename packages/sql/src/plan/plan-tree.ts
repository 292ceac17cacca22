import { conjuncts, relationsOf, userField } from '../bind/bind-from.ts'
import { SqlError, unsupported } from '../messages/sql-error.ts'
import type { Bound, BoundFrom, BoundQuery, BoundSelect, Relation } from '../shapes/bound.ts'
import { type Mapper, mapFrom, mapKeys, mapQuery, mapSelect, mapValue, someValue } from '../shapes/walk.ts'
import { type Building, type PartBuilder, startPart } from './part.ts'
import { anyOutput, planModelSelect, rowMapper } from './plan-select.ts'
import { pushCondition } from './push-condition.ts'

/** What is asked beside the rows. */
export interface Asked {
  /** Names that `__user` is compared with: as whom the statement wants to be run. */
  readonly users: Set<string>
}

/** Takes the questions to the model out of a statement, innermost first. @returns what is left to compute over their answers. */
export function planTree(building: Building, asked: Asked, query: BoundQuery): BoundQuery {
  const inner: Mapper = { query: nested => planTree(building, asked, nested) }
  const withPlanned = query.with.map(table => ({ ...table, query: planTree(building, asked, table.query) }))
  const { body } = query
  if (body.kind === 'set') {
    const left = planTree(building, asked, body.left)
    return { ...query, with: withPlanned, body: { ...body, left, right: planTree(building, asked, body.right) } }
  }
  if (body.kind === 'values')
    return mapQuery({ value: value => mapValue(inner, value) }, { ...query, with: withPlanned })
  const select = mapSelect(inner, withoutUsers(body, asked))
  const planned = { ...query, with: withPlanned, body: select, order: mapKeys(inner, query.order) }
  if (select.model) return planModelSelect(building, planned, select.model)
  return select.from ? planTables(building, planned, select, select.from) : planned
}

const isUser = (value: Bound | undefined) =>
  value?.kind === 'column' && value.member === null && value.name === userField

/** `__user = 'x'` says who asks; no row has it. */
function withoutUsers(select: BoundSelect, { users }: Asked): BoundSelect {
  const where = select.where.flatMap(conjuncts).filter(condition => {
    if (!someValue(condition, inner => isUser(inner))) return true
    if (condition.kind === 'isNull' && condition.negated && isUser(condition.operand)) return false
    const [left, right] = condition.kind === 'call' && condition.call === 'operator =' ? condition.arguments : []
    const name = isUser(left) ? right : isUser(right) ? left : undefined
    if (name?.kind !== 'constant' || name.value === null) {
      throw unsupported('__user in anything but a comparison with one name by =', condition.at)
    }
    users.add(name.value)
    if (users.size > 1)
      throw new SqlError('0A000', 'A statement is run as one user, and this one names several', condition.at)
    return false
  })
  return { ...select, where }
}

/** Tables that are joined as the statement says: of each cube or view all rows are read that its own conditions leave. */
function planTables(building: Building, query: BoundQuery, select: BoundSelect, from: BoundFrom): BoundQuery {
  const models = relationsOf(from).filter(relation => relation.kind === 'model')
  if (models.length === 0) return query
  const parts = new Map(models.map(relation => [relation.id, startPart(building, [relation], true)]))
  const isInner = !hasOuterJoin(from)
  const where = select.where.filter(condition => !(isInner && pushRowCondition(parts, condition)))
  let rest: BoundQuery = { ...query, body: { ...select, where } }
  for (const part of parts.values()) rest = mapOwn(rowMapper(building, part), rest)
  for (const relation of models) {
    const part = parts.get(relation.id)
    if (part && part.outputs.size === 0) anyOutput(building, part, [relation])
  }
  const relation = (found: Relation): Relation | undefined => {
    const part = parts.get(found.id)
    return part && { kind: 'part', id: part.id, part: part.id }
  }
  const { body } = rest
  if (body.kind !== 'select' || !body.from) throw new Error('a SELECT stays one')
  return { ...rest, body: { ...body, from: mapFrom({ relation }, body.from) } }
}

/** Maps the SELECT and its order; what was planned inside it refers to its tables too. */
function mapOwn(mapper: Mapper, query: BoundQuery): BoundQuery {
  if (query.body.kind !== 'select') return query
  return { ...query, body: mapSelect(mapper, query.body), order: mapKeys(mapper, query.order) }
}

const hasOuterJoin = (from: BoundFrom): boolean =>
  from.kind === 'join' &&
  (!['inner', 'cross'].includes(from.type) || hasOuterJoin(from.left) || hasOuterJoin(from.right))

function pushRowCondition(parts: ReadonlyMap<string, PartBuilder>, condition: Bound): boolean {
  const used = new Set<string>()
  let isPlain = true
  someValue(condition, inner => {
    if ('query' in inner || (inner.kind === 'column' && inner.member?.kind === 'measure')) isPlain = false
    if (inner.kind === 'column') used.add(inner.relation)
    return false
  })
  const [only] = used
  const part = only === undefined ? undefined : parts.get(only)
  if (!isPlain || used.size !== 1 || !part) return false
  return pushCondition(part, condition)
}
