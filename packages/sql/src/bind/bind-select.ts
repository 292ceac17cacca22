import { SqlError } from '../messages/sql-error.ts'
import type { Bound, BoundFrom, BoundSelect, BoundSortKey } from '../shapes/bound.ts'
import type { Expression, Select, SortKey, Target } from '../shapes/tree.ts'
import { bindFrom, conjuncts, isModelJoin, modelRelations } from './bind-from.ts'
import type { Binding } from './binding.ts'
import { coerce } from './coerce.ts'
import { bySets, distinctSets, withoutGrouping } from './grouping-sets.ts'
import { type CommonTables, createScope, isMerged, type Scope } from './scope.ts'

/** Binds a SELECT together with the keys that its rows are ordered by, which may name what it selects. */
export function bindSelect(
  binding: Binding,
  select: Select,
  order: readonly SortKey[],
  parent: Scope | null,
  common: CommonTables,
): { readonly select: BoundSelect; readonly order: readonly BoundSortKey[] } {
  const scope = createScope(parent, common)
  for (const { name, window } of select.windows) scope.windows.set(name, window)
  const from = select.from
    .map(item => bindFrom(binding, item, scope))
    .reduce<BoundFrom | null>(
      (left, right) => (left ? { kind: 'join', type: 'cross', left, right, on: null } : right),
      null,
    )
  const model = from && modelRelations(from)
  scope.isModel = model !== null
  scope.place = 'where'
  const where = select.where ? conjuncts(coerce(binding.expression(select.where, scope), 'bool')) : []
  scope.place = 'plain'
  const targets = select.targets.flatMap(target => bindTarget(binding, target, scope))
  const groupBy = select.groupBy.map(value => bindKey(binding, value, scope, targets, 'GROUP BY'))
  const having = select.having ? conjuncts(coerce(binding.expression(select.having, scope), 'bool')) : []
  const keys = order.map(({ value, descending, nullsFirst }) => ({
    value: bindKey(binding, value, scope, targets, 'ORDER BY'),
    descending,
    nullsFirst,
  }))
  const on = (select.distinct?.on ?? []).map(value => bindKey(binding, value, scope, targets, 'DISTINCT ON'))
  const sets = select.groupingSets?.sets.map(set =>
    set.map(value => bindKey(binding, value, scope, targets, 'GROUP BY')),
  )
  const isAggregated = scope.hasAggregates || groupBy.length > 0 || having.length > 0
  const bound = {
    select: {
      kind: 'select',
      distinct: select.distinct && { on },
      targets,
      from,
      where: where.filter(condition => model === null || !isModelJoin(condition)),
      groupBy,
      having,
      isAggregated,
      model,
      at: select.at,
    },
    order: keys,
  } as const
  if (!sets) return withoutGrouping(bound)
  const own = new Set(scope.relations.map(({ id }) => id))
  return bySets(bound, select.groupingSets?.isDistinct ? distinctSets(sets) : sets, own, binding.unique)
}

function bindTarget(binding: Binding, target: Target, scope: Scope): { name: string; value: Bound }[] {
  const { at } = target
  if (target.kind === 'value') {
    const value = binding.expression(target.value, scope)
    const settled = value.type === 'unknown' ? coerce(value, 'text') : value
    return [{ name: target.name ?? nameOf(target.value), value: settled }]
  }
  const all = target.table === null
  const relations = scope.relations.filter(({ alias }) => all || alias === target.table)
  if (relations.length === 0) {
    const message =
      target.table === null
        ? 'SELECT * with no tables specified is not valid'
        : `missing FROM-clause entry for table "${target.table}"`
    throw new SqlError(target.table === null ? '42601' : '42P01', message, at)
  }
  const merged = all ? scope.merged : []
  return relations.flatMap(({ id, columns }) => [
    ...merged.filter(({ first }) => first === id).map(({ name, value }) => ({ name, value: { ...value, at } })),
    ...columns
      .filter(({ name, isHidden }) => !isHidden && !isMerged(merged, id, name))
      .map(({ name, type, member }) => ({
        name,
        value: { kind: 'column', relation: id, name, type, member, at } as const,
      })),
  ])
}

/** The name that PostgreSQL gives a column which was given none. */
function nameOf(value: Expression): string {
  switch (value.kind) {
    case 'column':
      return value.names.at(-1) ?? '?column?'
    case 'call':
      return value.name
    case 'cast': {
      const inner = nameOf(value.operand)
      return inner === '?column?' ? value.type.name : inner
    }
    case 'case':
      return value.otherwise && nameOf(value.otherwise) !== '?column?' ? nameOf(value.otherwise) : 'case'
    case 'exists':
      return 'exists'
    case 'array':
      return 'array'
    case 'constant':
      return value.value.type === 'boolean' ? 'bool' : '?column?'
    case 'scalarQuery': {
      const { body } = value.query
      const [target] = body.kind === 'select' ? body.targets : []
      return target?.kind === 'value' ? (target.name ?? nameOf(target.value)) : '?column?'
    }
    default:
      return '?column?'
  }
}

/** A key of GROUP BY or ORDER BY: a position, a name of what is selected, or an expression. */
function bindKey(
  binding: Binding,
  value: Expression,
  scope: Scope,
  targets: readonly { readonly name: string; readonly value: Bound }[],
  clause: string,
): Bound {
  if (value.kind === 'constant' && value.value.type === 'integer') {
    const target = targets[Number(value.value.value) - 1]
    if (!target) throw new SqlError('42P10', `${clause} position ${value.value.value} is not in select list`, value.at)
    return target.value
  }
  if (value.kind === 'constant') throw new SqlError('42601', `non-integer constant in ${clause}`, value.at)
  const [name, more] = value.kind === 'column' ? value.names : []
  if (name !== undefined && more === undefined) {
    const named = targets.filter(target => target.name === name)
    const isColumn = scope.relations.some(({ columns }) => columns.some(column => column.name === name))
    const [target] = named
    // PostgreSQL: ORDER BY means what is selected first, GROUP BY the column of a table.
    if (target && (clause !== 'GROUP BY' || !isColumn)) {
      if (new Set(named.map(other => JSON.stringify(other.value, withoutPlace))).size > 1) {
        throw new SqlError('42702', `${clause} "${name}" is ambiguous`, value.at)
      }
      return target.value
    }
  }
  return binding.expression(value, scope)
}

const withoutPlace = (key: string, value: unknown) => (key === 'at' || key === 'member' ? undefined : value)
