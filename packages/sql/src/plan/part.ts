import type { AdHocMember, AdHocPart, DialectName, ListedMember } from '@hedron/semantic'
import { type Piece, type PrintDialect, Unprintable } from '../print/piece.ts'
import { printValue } from '../print/print-value.ts'
import type { PrintBudget, Printing } from '../print/printing.ts'
import type { Bound, ModelRelation } from '../shapes/bound.ts'
import { isMoment, isNumber, type SqlType } from '../shapes/types.ts'
import { keyOf } from '../shapes/walk.ts'
import type { RestFilter } from './rest-filter.ts'

/** One question to the model that a statement is made of, being put together. */
export interface PartBuilder {
  readonly id: string
  readonly relations: readonly ModelRelation[]
  readonly isUngrouped: boolean
  /** Null: values cannot be written for the data source. */
  readonly dialect: PrintDialect | null
  readonly budget: PrintBudget
  readonly outputs: Map<string, PartOutput>
  readonly adHoc: Map<string, AdHocMember>
  /** Ids of members that ad hoc members refer to. */
  readonly mentioned: Set<string>
  readonly filters: RestFilter[]
  readonly segments: Set<string>
  order: readonly { readonly output: PartOutput; readonly descending: boolean; readonly nullsFirst: boolean }[]
  limit: number | null
  offset: number | null
  /** Where in the text its groups are added up to larger ones, for which each row has to be in one of them alone; null: they are not. */
  addedUpAt: number | null
}

/** A column that a part gives. */
export interface PartOutput {
  /** In the statement around it. */
  readonly name: string
  readonly kind: 'dimension' | 'time' | 'measure'
  /** `cube.member` */
  readonly id: string
  readonly granularity: string | null
  readonly type: SqlType
}

/** What parts are built for. */
export interface Building {
  readonly timezone: string
  readonly dialectOf: (dataSource: string) => DialectName
  readonly parts: PartBuilder[]
  readonly budget: PrintBudget
}

const printable = (dialect: DialectName): PrintDialect | null =>
  dialect === 'duckdb' || dialect === 'postgres' ? dialect : null

export function startPart(building: Building, relations: readonly ModelRelation[], isUngrouped: boolean): PartBuilder {
  const [member] = relations.flatMap(({ source }) => [...source.members.values()])
  const part: PartBuilder = {
    id: `p${building.parts.length + 1}`,
    relations,
    isUngrouped,
    dialect: member ? printable(building.dialectOf(member.dataSource)) : null,
    budget: building.budget,
    outputs: new Map(),
    adHoc: new Map(),
    mentioned: new Set(),
    filters: [],
    segments: new Set(),
    order: [],
    limit: null,
    offset: null,
    addedUpAt: null,
  }
  building.parts.push(part)
  return part
}

export function isOf(part: PartBuilder, relation: string): boolean {
  return part.relations.some(({ id }) => id === relation)
}

/** The column of the part that has these values, as the statement around refers to it. */
export function output(part: PartBuilder, of: Omit<PartOutput, 'name'>, at: number): Bound {
  const key = `${of.kind} ${of.id} ${of.granularity}`
  const found = part.outputs.get(key) ?? { ...of, name: `c${part.outputs.size + 1}` }
  part.outputs.set(key, found)
  return { kind: 'column', relation: part.id, name: found.name, member: null, type: found.type, at }
}

export const outputNamed = (part: PartBuilder, name: string): PartOutput | undefined =>
  [...part.outputs.values()].find(found => found.name === name)

type NewMember =
  | { readonly kind: 'dimension'; readonly type: 'string' | 'number' | 'boolean' | 'time' }
  | { readonly kind: 'segment' }
  | {
      readonly kind: 'measure'
      readonly type: Extract<ListedMember, { kind: 'measure' }>['type']
      readonly filters: readonly Bound[]
    }

/**
 * A member made of a value over members of the part's tables. @returns its id.
 *
 * @throws {Unprintable} where the value refers to anything else, or the data source has no way to say it
 */
export function adHocMember(part: PartBuilder, member: NewMember, value: Bound | readonly Piece[] | null): string {
  const key = JSON.stringify([member, value && (isPieces(value) ? value : keyOf(value))], (name, inner: unknown) =>
    name === 'at' || name === 'source' || name === 'granularities' ? undefined : inner,
  )
  const known = part.adHoc.get(key)
  if (known) return known.id
  const relation = part.relations[0]
  if (!relation) throw new Error('a part has tables')
  const mentioned = new Set<string>()
  const sql = value === null ? [] : partsOf(part, isPieces(value) ? value : pieces(part, value), mentioned)
  const source = ownerOf(part, relation, mentioned)
  const taken = part.relations.find(({ source: { name } }) => name === source)?.source.members
  let name = `sql_${part.adHoc.size + 1}`
  while (taken?.has(name)) name = `_${name}`
  const id = `${source}.${name}`
  const made: AdHocMember =
    member.kind === 'measure'
      ? { ...member, id, sql, filters: member.filters.map(filter => partsOf(part, pieces(part, filter), mentioned)) }
      : { ...member, id, sql }
  part.adHoc.set(key, made)
  for (const each of mentioned) part.mentioned.add(each)
  return id
}

const isPieces = (value: Bound | readonly Piece[]): value is readonly Piece[] => Array.isArray(value)

/** The table whose member it is: the one that it is about, or of several the first. */
function ownerOf(part: PartBuilder, first: ModelRelation, mentioned: ReadonlySet<string>): string {
  const names = new Set([...mentioned].map(id => id.split('.')[0] ?? ''))
  return part.relations.map(({ source }) => source.name).find(name => names.has(name)) ?? first.source.name
}

export function pieces(part: PartBuilder, value: Bound): Piece[] {
  if (!part.dialect) throw new Unprintable('An expression on this data source', value.at)
  const query = () => {
    throw new Unprintable('A sub-query', value.at)
  }
  const printing: Printing = {
    dialect: part.dialect,
    budget: part.budget,
    value: inner => printValue(printing, inner),
    query,
  }
  return printValue(printing, value)
}

/** References by name instead of columns, constants of the model's types instead of values. */
function partsOf(part: PartBuilder, printed: readonly Piece[], mentioned: Set<string>): AdHocPart[] {
  const sql: AdHocPart[] = []
  for (const piece of printed) {
    const last = sql.at(-1)
    if (typeof piece === 'string') {
      if (typeof last === 'string') sql[sql.length - 1] = last + piece
      else sql.push(piece)
    } else if (piece.kind === 'value') {
      // Always in a CAST, so that the text of any type will do.
      sql.push({ type: 'text', value: piece.value })
    } else {
      const relation = part.relations.find(({ id }) => id === piece.relation)
      const member = relation?.source.members.get(piece.name)
      if (!member || member.kind === 'measure') throw new Unprintable('A reference to another table', -1)
      if (member.kind === 'dimension') mentioned.add(member.id)
      sql.push({ member: member.id })
    }
  }
  return sql
}

/** The model's type for values of an SQL type. */
export function dimensionType(type: SqlType): 'string' | 'number' | 'boolean' | 'time' {
  if (isNumber(type)) return 'number'
  if (type === 'bool') return 'boolean'
  return isMoment(type) ? 'time' : 'string'
}
