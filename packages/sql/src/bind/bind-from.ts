import { didYouMean, type ListedSource } from '@hedron/semantic'
import { SqlError, unsupported } from '../messages/sql-error.ts'
import type { Bound, BoundColumn, BoundFrom, ModelRelation, Relation } from '../shapes/bound.ts'
import type { Expression, FromItem } from '../shapes/tree.ts'
import { bindSeriesCall } from './bind-call.ts'
import { bindUsing, namesOfBoth } from './bind-using.ts'
import { type Binding, findSource } from './binding.ts'
import { coerce } from './coerce.ts'
import { typeOfMember } from './measures.ts'
import { createScope, type Scope, type ScopeColumn } from './scope.ts'

/** Column by which cubes are joined as the model says; it has no values. */
const joinField = '__cubejoinfield'
export const userField = '__user'

/** Binds one item of FROM and adds its tables to the scope. */
export function bindFrom(binding: Binding, item: FromItem, scope: Scope): BoundFrom {
  switch (item.kind) {
    case 'table':
      return bindTable(binding, item, scope)
    case 'query': {
      const around = item.lateral ? { ...scope, parent: scope.parent } : scope.parent
      const query = binding.query(item.query, around, scope.common)
      const id = binding.unique('q')
      const columns = renamed(query.columns, item.columns, item.at)
      scope.relations.push({ alias: item.alias, id, columns: plainColumns(columns), isModel: false })
      return { kind: 'query', id, query: { ...query, columns }, lateral: item.lateral }
    }
    case 'function':
      return bindSeries(binding, item, scope)
    case 'join':
      return bindJoin(binding, item, scope)
  }
}

type Item<K extends FromItem['kind']> = Extract<FromItem, { kind: K }>

function bindTable(
  binding: Binding,
  { schema, name, alias, columns: names, at }: Item<'table'>,
  scope: Scope,
): Relation {
  const shown = alias ?? name
  if (scope.relations.some(relation => relation.alias === shown)) {
    throw new SqlError('42712', `table name "${shown}" specified more than once`, at)
  }
  const common = schema === null ? scope.common.get(name) : undefined
  if (common) {
    const id = binding.unique('c')
    const columns = renamed(common.columns, names, at)
    scope.relations.push({ alias: shown, id, columns: plainColumns(columns), isModel: false })
    return { kind: 'common', id, table: common.id, columns }
  }
  const source = schema === null || schema === 'public' ? findSource(binding, name) : null
  if (source) {
    if (names.length > 0) throw unsupported('Other names for the columns of a cube or view', at)
    const id = binding.unique('m')
    scope.relations.push({ alias: shown, id, columns: sourceColumns(source), isModel: true })
    return { kind: 'model', id, source, at }
  }
  const written = schema === null ? name : `${schema}.${name}`
  const hint = didYouMean(name, binding.sources.names()).trim()
  throw new SqlError('42P01', `relation "${written}" does not exist`, at, hint === '' ? null : hint)
}

const plainColumns = (columns: readonly BoundColumn[]): ScopeColumn[] =>
  columns.map(column => ({ ...column, member: null, isHidden: false }))

function sourceColumns(source: ListedSource): ScopeColumn[] {
  const members = [...source.members.values()].map(
    (member): ScopeColumn => ({
      name: member.name,
      type: typeOfMember(member),
      member,
      // `*` of a table must not fail for a member that no row has a value of.
      isHidden: member.kind === 'measure' && !member.hasRowValue,
    }),
  )
  const own = (name: string): ScopeColumn => ({ name, type: 'text', member: null, isHidden: true })
  return [...members, own('__user'), own('__cubeJoinField')]
}

function renamed(columns: readonly BoundColumn[], names: readonly string[], at: number): readonly BoundColumn[] {
  if (names.length > columns.length) {
    throw new SqlError('42P10', `the table has ${columns.length} columns and ${names.length} names are given`, at)
  }
  return columns.map((column, position) => ({ ...column, name: names[position] ?? column.name }))
}

function bindSeries(binding: Binding, { call, alias, columns: names, at }: Item<'function'>, scope: Scope): Relation {
  if (call.name !== 'generate_series' && call.name !== 'unnest')
    throw unsupported(`The function ${call.name} in FROM`, at)
  const bound = call.name === 'unnest' ? bindUnnest(binding, call.arguments, at) : bindSeriesCall(binding, call)
  const id = binding.unique('f')
  const shown = alias ?? call.name
  const column = { name: names[0] ?? shown, type: bound.type }
  scope.relations.push({ alias: shown, id, columns: plainColumns([column]), isModel: false })
  return { kind: 'function', id, call: bound, column }
}

function bindUnnest(binding: Binding, given: readonly Expression[], at: number): Bound {
  const [array, more] = given
  if (!array || more) throw new SqlError('42883', 'unnest takes one array', at)
  const bound = binding.expression(array, createScope(null, new Map()))
  if (bound.kind !== 'array') throw unsupported('unnest of anything but ARRAY[...]', at)
  return { kind: 'call', call: 'unnest', arguments: [bound], type: bound.items[0]?.type ?? 'text', at }
}

function bindJoin(binding: Binding, item: Item<'join'>, scope: Scope): BoundFrom {
  const before = scope.relations.length
  const left = bindFrom(binding, item.left, scope)
  const middle = scope.relations.length
  const right = bindFrom(binding, item.right, scope)
  if (item.using.length > 0 || item.natural) {
    const sides = [scope.relations.slice(before, middle), scope.relations.slice(middle)] as const
    const using = item.natural ? namesOfBoth(scope, sides, item.at) : item.using
    return { kind: 'join', type: item.type, left, right, on: bindUsing(scope, { ...item, using }, sides) }
  }
  scope.place = 'where'
  const on = item.on ? coerce(binding.expression(item.on, scope), 'bool') : null
  scope.place = 'plain'
  return { kind: 'join', type: item.type, left, right, on }
}

export const relationsOf = (from: BoundFrom): readonly Relation[] =>
  from.kind === 'join' ? [...relationsOf(from.left), ...relationsOf(from.right)] : [from]

/** The conditions that all hold. */
export const conjuncts = (condition: Bound): readonly Bound[] =>
  condition.kind === 'logical' && condition.operator === 'and' ? condition.operands.flatMap(conjuncts) : [condition]

const isJoinField = (value: Bound | undefined) => value?.kind === 'column' && value.name.toLowerCase() === joinField

/** `a.__cubeJoinField = b.__cubeJoinField` */
export const isModelJoin = (condition: Bound): boolean =>
  condition.kind === 'call' && condition.call === 'operator =' && condition.arguments.every(isJoinField)

/**
 * The tables where FROM says no more than the model does: cubes and views, each once, joined by CROSS JOIN or by
 * `__cubeJoinField`. Null: FROM means what it says.
 */
export function modelRelations(from: BoundFrom): readonly ModelRelation[] | null {
  const relations = relationsOf(from)
  const models = relations.filter(relation => relation.kind === 'model')
  if (models.length < relations.length || !isModelJoined(from)) return null
  return new Set(models.map(({ source }) => source.name)).size === models.length ? models : null
}

function isModelJoined(from: BoundFrom): boolean {
  if (from.kind !== 'join') return true
  const isJoin = from.on === null ? from.type === 'cross' : conjuncts(from.on).every(isModelJoin)
  return isJoin && isModelJoined(from.left) && isModelJoined(from.right)
}
