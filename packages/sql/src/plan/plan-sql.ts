import { type DialectName, listSources, type Parameter } from '@hedron/semantic'
import { bindQuery } from '../bind/bind-query.ts'
import { unsupported, withPositions } from '../messages/sql-error.ts'
import { type Piece, type PrintDialect, quoted, Unprintable } from '../print/piece.ts'
import { type PrintRelation, printQuery } from '../print/print-query.ts'
import { type PrintBudget, printBudget } from '../print/printing.ts'
import type { Bound, BoundColumn, BoundQuery } from '../shapes/bound.ts'
import type { Query } from '../shapes/tree.ts'
import type { SqlType } from '../shapes/types.ts'
import { type Mapper, mapQuery } from '../shapes/walk.ts'
import { compilePart, type PartSurroundings, type SqlPart } from './compile-part.ts'
import { type Building, outputNamed, type PartBuilder } from './part.ts'
import { planTree } from './plan-tree.ts'
import { withSessionMoments } from './session-moments.ts'

/** A condition on a member of the model, in the words of the data API. */
export interface SqlFilter {
  /** `cube.member` */
  readonly member: string
  readonly operator: string
  readonly values?: readonly string[]
}

export interface SqlPlanOptions extends PartSurroundings {
  /** Conditions that are set around the statement; each holds only where its member is a column of the answer (`SqlPlan.filtered`). */
  readonly filters?: readonly SqlFilter[]
  /** Texts that functions of no argument give, by name: `current_user`, `version`. */
  readonly constants: ReadonlyMap<string, string>
  /** The session's local time, `YYYY-MM-DDTHH:mm:ss.SSS`. */
  readonly localNow: string
  /** Values of `$1`, `$2`, … as text; null: not known yet, when only columns and types are asked for. */
  readonly parameters: readonly (string | null)[] | null
  /** Numbers of the parameters that a client sends as moments with a zone: beside local times they are those of the session's zone. */
  readonly zonedParameters?: ReadonlySet<number>
}

/** How a statement is answered. */
export interface SqlPlan {
  /**
   * `regular`: the one part is the answer. `pushdown`: `statement` holds the parts and runs where they do. `post_processing`: the
   * parts are loaded, and `statement` runs over them in the embedded engine.
   */
  readonly kind: 'regular' | 'pushdown' | 'post_processing'
  readonly columns: readonly BoundColumn[]
  /** Of `$1`, `$2`, … */
  readonly parameterTypes: readonly SqlType[]
  /** As whom the statement wants to be run, by `__user`. */
  readonly user: string | null
  /** Members whose conditions of `SqlPlanOptions.filters` hold in the answer. */
  readonly filtered: readonly string[]
  readonly parts: readonly SqlPart[]
  /** `regular`: which column of the part each column of the answer is, from 0. */
  readonly positions: readonly number[]
  readonly statement: { readonly sql: string; readonly parameters: readonly Parameter[] } | null
}

/**
 * Plans a query by direct translation: each SELECT over tables of the model becomes a question to the model, and what is around
 * them a statement over their answers.
 *
 * @param text what the query was read from, for places in errors
 * @throws {SqlError} for what cannot be answered, with its place; `QueryError` where the model refuses a part
 */
export function planSql(text: string, query: Query, options: SqlPlanOptions): SqlPlan {
  return withPositions(text, () => plan(query, options))
}

function plan(query: Query, options: SqlPlanOptions): SqlPlan {
  const { model, context, constants, localNow: now, parameters, timezone, dialectOf } = options
  const { zonedParameters = new Set() } = options
  const sources = listSources(model, context)
  const asWritten = bindQuery({ sources, constants, now, parameters, zonedParameters }, query)
  const bound = withSessionMoments(asWritten, timezone)
  const building: Building = { timezone, dialectOf, parts: [], budget: printBudget() }
  const asked = { users: new Set<string>() }
  const rest = planTree(building, asked, bound)
  const [user = null] = asked.users
  const common = { columns: bound.columns, parameterTypes: typesOfParameters(bound), user }
  const [first] = building.parts
  if (first && building.parts.length === 1) {
    const names = plainColumns(rest)
    if (names) {
      const filtered = filterColumns(first, names, options.filters ?? [])
      const part = compilePart(options, first, 0)
      const positions = names.map(name => part.columns.findIndex(column => column.name === name))
      return { ...common, filtered, kind: 'regular', parts: [part], positions, statement: null }
    }
  }
  let count = 0
  const nested = building.parts.map(part => {
    const compiled = compilePart(options, part, count, true)
    count += compiled.compiled.parameters.length
    return compiled
  })
  const around = { ...common, filtered: [], positions: [] }
  const dialect = commonDialect(nested, dialectOf)
  if (dialect) {
    const statement = pushedDown(rest, nested, dialect, building.budget)
    if (statement) return { ...around, kind: 'pushdown', parts: nested, statement }
  }
  const parts = building.parts.map(part => compilePart(options, part, 0))
  return { ...around, kind: 'post_processing', parts, statement: overTables(rest, building.budget) }
}

/** Names of the part's columns where the rest does nothing but choose among them. */
function plainColumns({ with: tables, body, limit, offset }: BoundQuery): readonly string[] | null {
  if (tables.length > 0 || limit || offset || body.kind !== 'select' || body.from?.kind !== 'part') return null
  const { where, groupBy, having, distinct, targets, isAggregated } = body
  if (where.length > 0 || groupBy.length > 0 || having.length > 0 || distinct || isAggregated) return null
  const names = targets.flatMap(({ value }) => (value.kind === 'column' ? [value.name] : []))
  return names.length === targets.length ? names : null
}

/**
 * Puts conditions on a part whose columns are those of the statement's answer: there they choose among its rows as around it, since rows are grouped by
 * what is conditioned. They hold before its LIMIT, as in a query of the data API.
 *
 * @returns the members that are conditioned now: dimensions, and times in whichever step, that are columns of the answer.
 */
function filterColumns(part: PartBuilder, names: readonly string[], filters: readonly SqlFilter[]): readonly string[] {
  const outputs = names.flatMap(name => outputNamed(part, name) ?? [])
  const members = new Set(outputs.flatMap(({ kind, id }) => (kind === 'measure' || part.adHoc.has(id) ? [] : [id])))
  const held = filters.filter(({ member }) => members.has(member))
  part.filters.push(...held)
  return [...new Set(held.map(({ member }) => member))]
}

/** The dialect of the one data source that all parts are of, if queries can be written for it. */
function commonDialect(parts: readonly SqlPart[], dialectOf: (source: string) => DialectName): PrintDialect | null {
  const sources = new Set(parts.map(({ compiled }) => compiled.dataSource))
  const [source] = sources
  if (source === undefined || sources.size > 1) return null
  const dialect = dialectOf(source)
  return dialect === 'duckdb' || dialect === 'postgres' ? dialect : null
}

function pushedDown(
  rest: BoundQuery,
  parts: readonly SqlPart[],
  dialect: PrintDialect,
  budget: PrintBudget,
): SqlPlan['statement'] {
  const relation: PrintRelation = found => {
    const part = found.kind === 'part' ? parts.find(({ name }) => name === found.part) : undefined
    return part ? [`(\n${part.compiled.sql}\n)`] : null
  }
  const before = parts.flatMap(({ compiled }) => compiled.parameters)
  const nameOf = (part: SqlPart, name: string) => {
    const position = part.columns.findIndex(column => column.name === name)
    return part.compiled.columns[position]?.alias ?? name
  }
  try {
    return assembled(printQuery(dialect, rest, relation, budget), before, (table, name) => {
      const part = parts.find(each => each.name === table)
      return part ? nameOf(part, name) : name
    })
  } catch (error) {
    if (error instanceof Unprintable) return null
    throw error
  }
}

/** Over tables of the embedded engine that are called as the parts and virtual tables are. */
function overTables(rest: BoundQuery, budget: PrintBudget): SqlPlan['statement'] {
  const relation: PrintRelation = found => (found.kind === 'part' ? [quoted(found.part)] : null)
  try {
    return assembled(printQuery('duckdb', rest, relation, budget), [], (_, name) => name)
  } catch (error) {
    if (error instanceof Unprintable) throw unsupported(error.what, error.at)
    throw error
  }
}

const longestStatement = 4 * 1024 * 1024

/** Columns get their names, values become parameters after those that are there. */
function assembled(
  pieces: readonly Piece[],
  before: readonly Parameter[],
  nameOf: (relation: string, name: string) => string,
): { readonly sql: string; readonly parameters: readonly Parameter[] } {
  const parameters: Parameter[] = [...before]
  const places = new Map<string, number>()
  const texts = pieces.map(piece => {
    if (typeof piece === 'string') return piece
    if (piece.kind === 'column') return `${quoted(piece.relation)}.${quoted(nameOf(piece.relation, piece.name))}`
    const key = `${piece.type} ${piece.value}`
    const place = places.get(key) ?? parameters.push(piece.value)
    places.set(key, place)
    return `$${place}`
  })
  const sql = texts.join('')
  if (sql.length > longestStatement) throw unsupported('A statement that takes so much text to compute', null)
  return { sql, parameters }
}

/** Parameters are of the type of what they stand beside; text where nothing decides it. */
function typesOfParameters(query: BoundQuery): SqlType[] {
  const types: SqlType[] = []
  const look = (value: Bound | null): undefined => {
    if (value?.kind === 'in' && value.array) types[value.array.parameter - 1] ??= value.array.type
    if (value?.kind !== 'constant' || value.parameter === undefined) return
    const known = types[value.parameter - 1]
    if (known === undefined || known === 'unknown') types[value.parameter - 1] = value.type
  }
  const mapper: Mapper = {
    value: look,
    query({ limit, offset }) {
      look(limit)
      look(offset)
      return undefined
    },
  }
  mapQuery(mapper, query)
  return Array.from(types, type => (type === undefined || type === 'unknown' ? 'text' : type))
}
