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
  /** Columns that `USING` made one of two, those of joins around others first. */
  merged: readonly MergedColumn[]
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

export interface MergedColumn {
  readonly name: string
  readonly value: Bound
  /** The columns that it stands for, which have no name but with their table's. */
  readonly of: readonly { readonly relation: string; readonly name: string }[]
  /** The first table of the join. */
  readonly first: string
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
  merged: [],
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
    const found = lookUp(current, current.relations, table, name, at)
    if (found.length > 1) throw new SqlError('42702', `column reference "${name}" is ambiguous`, at)
    const [only] = found
    if (only) return only.value
  }
  throw unknownColumn(scope, table, name, at)
}

/** A column that a name can mean, and the columns of tables that it is: several where `USING` made one of them. */
export type FoundColumn = Pick<MergedColumn, 'value' | 'of'>

/** The columns of that name among those of some tables. */
export function lookUp(
  { merged }: Pick<Scope, 'merged'>,
  among: readonly ScopeRelation[],
  table: string | undefined,
  name: string,
  at: number,
): FoundColumn[] {
  const relations = among.filter(({ alias }) => table === undefined || same(alias, table))
  const ids = new Set(relations.map(({ id }) => id))
  const ones = table === undefined ? merged.filter(({ first }) => ids.has(first)) : []
  const match = (equal: (left: string, right: string) => boolean): FoundColumn[] => [
    ...ones.filter(column => equal(column.name, name)).map(({ value, of }) => ({ value: { ...value, at }, of })),
    ...relations.flatMap(({ id, columns }) =>
      columns
        .filter(column => equal(column.name, name) && !isMerged(ones, id, column.name))
        .map(({ name: own, type, member }) => ({
          value: { kind: 'column', relation: id, name: own, type, member, at } as const,
          of: [{ relation: id, name: own }],
        })),
    ),
  ]
  const exact = match((left, right) => left === right)
  return exact.length > 0 ? exact : match(same)
}

export const isMerged = (merged: readonly MergedColumn[], relation: string, name: string): boolean =>
  merged.some(({ of }) => of.some(each => each.relation === relation && each.name === name))

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
