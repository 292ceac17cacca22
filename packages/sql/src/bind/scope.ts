import { didYouMean, type ListedMember } from '@hedron/semantic'
import { SqlError } from '../messages/sql-error.ts'
import type { Bound, BoundColumn } from '../shapes/bound.ts'
import type { Window } from '../shapes/tree.ts'
import type { SqlType } from '../shapes/types.ts'

/** Common table expressions that can be referred to, by name. */
export type CommonTables = ReadonlyMap<string, { readonly id: string; readonly columns: readonly BoundColumn[] }>

/** The tables that names in one SELECT can refer to, and those of the SELECT around it. */
export interface Scope {
  readonly relations: ScopeRelation[]
  readonly parent: Scope | null
  readonly common: CommonTables
  /** The tables are joined as the model says, so that measures are aggregated by the model. */
  isModel: boolean
  /** What stands here is inside an aggregate, a window function, or a clause that has neither. */
  place: 'plain' | 'aggregate' | 'where'
  /** Aggregates or measures were met. */
  hasAggregates: boolean
  readonly windows: Map<string, Window>
}

export interface ScopeRelation {
  /** As the statement calls it. */
  readonly alias: string
  /** As nothing else in the statement is called. */
  readonly id: string
  readonly columns: readonly ScopeColumn[]
  readonly isModel: boolean
}

export interface ScopeColumn {
  readonly name: string
  readonly type: SqlType
  readonly member: ListedMember | null
  /** Not among those of `*`. */
  readonly isHidden: boolean
}

export const createScope = (parent: Scope | null, common: CommonTables): Scope => ({
  relations: [],
  parent,
  common,
  isModel: false,
  place: 'plain',
  hasAggregates: false,
  windows: new Map(),
})

/** The column of that name, in the nearest SELECT that has one. */
export function findColumn(scope: Scope, names: readonly string[], at: number): Bound {
  const name = names.at(-1) ?? ''
  // Of `schema.table.column` the schema says nothing: there is one.
  const table = names.length > 1 ? names.at(-2) : undefined
  for (let current: Scope | null = scope; current; current = current.parent) {
    const found = lookUp(current, table, name)
    if (found.length > 1) throw new SqlError('42702', `column reference "${name}" is ambiguous`, at)
    const [only] = found
    if (only) return { kind: 'column', relation: only.relation.id, ...only.column, at }
  }
  throw unknownColumn(scope, table, name, at)
}

function lookUp(scope: Scope, table: string | undefined, name: string) {
  const relations = scope.relations.filter(({ alias }) => table === undefined || same(alias, table))
  const match = (equal: (left: string, right: string) => boolean) =>
    relations.flatMap(relation =>
      relation.columns
        .filter(column => equal(column.name, name))
        .map(({ name: own, type, member }) => ({ relation, column: { name: own, type, member } })),
    )
  const exact = match((left, right) => left === right)
  return exact.length > 0 ? exact : match(same)
}

const same = (left: string, right: string) => left.toLowerCase() === right.toLowerCase()

function unknownColumn(scope: Scope, table: string | undefined, name: string, at: number): SqlError {
  const scopes: Scope[] = []
  for (let current: Scope | null = scope; current; current = current.parent) scopes.push(current)
  const relations = scopes.flatMap(({ relations: own }) => own)
  const meant = relations.filter(({ alias }) => table === undefined || same(alias, table))
  if (table !== undefined && meant.length === 0) {
    const hint = didYouMean(
      table,
      relations.map(({ alias }) => alias),
    ).trim()
    return new SqlError('42P01', `missing FROM-clause entry for table "${table}"`, at, hint === '' ? null : hint)
  }
  const written = table === undefined ? `"${name}"` : `${table}.${name}`
  const hint = didYouMean(
    name,
    meant.flatMap(({ columns }) => columns.map(column => column.name)),
  ).trim()
  return new SqlError('42703', `column ${written} does not exist`, at, hint === '' ? null : hint)
}
