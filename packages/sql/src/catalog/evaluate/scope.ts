import { CatalogError } from '../catalog-error.ts'
import type { Value } from '../values/value.ts'
import type { Frame } from './run.ts'

/** A column that a name can mean. */
export interface ScopeColumn {
  /** Alias of its relation; empty for none. */
  readonly relation: string
  readonly name: string
  readonly type: string
  /** What a composite value is made of. */
  readonly row?: RowShape | undefined
}

export interface RowShape {
  readonly names: readonly string[]
  readonly types: readonly string[]
}

/** Rows of a query: the columns in the order in which they are produced. */
export interface Relation {
  readonly columns: readonly ScopeColumn[]
  /** @param frame of the scope around. */
  rows(frame: Frame): readonly (readonly Value[])[]
  /** Whether the rows are the same in every row of the scope around. */
  readonly constant: boolean
}

/** Names of one query level. */
export interface Scope {
  readonly columns: ScopeColumn[]
  readonly outer: Scope | null
  /** WITH queries that can be named here. */
  readonly ctes: Map<string, Relation>
  /** Columns of this level that were asked for since it was last emptied. */
  used: Set<number>
  /** Whether a name was found in a level further out. */
  correlated: boolean
  /** Columns that only a qualified name means, because USING merged them into another. */
  readonly merged: Set<number>
  /** Columns before it are not seen, as in the condition of a join inside another one. */
  from: number
}

export function createScope(outer: Scope | null): Scope {
  return { columns: [], outer, ctes: new Map(), used: new Set(), correlated: false, merged: new Set(), from: 0 }
}

/** Where a name was found: how many levels out, which column. */
export interface Found {
  readonly depth: number
  readonly index: number
  readonly column: ScopeColumn
}

/** Finds a column. @throws {CatalogError} 42702 when several are meant. */
export function findColumn(scope: Scope, relation: string | null, name: string, location?: number): Found | undefined {
  const crossed: Scope[] = []
  let depth = 0
  for (let level: Scope | null = scope; level; level = level.outer, depth += 1) {
    const { columns, merged, from } = level
    const matches: number[] = []
    for (let index = from; index < columns.length; index += 1) {
      const column = columns[index]
      if (column?.name !== name || (relation === null ? merged.has(index) : column.relation !== relation)) continue
      matches.push(index)
    }
    const [index] = matches
    const column = index === undefined ? undefined : columns[index]
    if (matches.length > 1) throw new CatalogError('42702', `column reference "${name}" is ambiguous`, location)
    if (index !== undefined && column) {
      level.used.add(index)
      for (const each of crossed) each.correlated = true
      return { depth, index, column }
    }
    crossed.push(level)
  }
  return undefined
}

/** All columns of a relation, for `alias.*` and whole-row names. */
export function findRelation(scope: Scope, relation: string): (Found & { readonly all: readonly Found[] }) | undefined {
  let depth = 0
  const crossed: Scope[] = []
  for (let level: Scope | null = scope; level; level = level.outer, depth += 1) {
    const all = level.columns.flatMap((column, index) =>
      column.relation === relation ? [{ depth, index, column }] : [],
    )
    const [first] = all
    if (first) {
      for (const { index } of all) level.used.add(index)
      for (const each of crossed) each.correlated = true
      return { ...first, all }
    }
    crossed.push(level)
  }
  return undefined
}

export function frameAt(frame: Frame, depth: number): Frame {
  let found = frame
  for (let level = 0; level < depth; level += 1) {
    if (!found.outer) throw new Error('a name was bound to a level that is not there')
    found = found.outer
  }
  return found
}
