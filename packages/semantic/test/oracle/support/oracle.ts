import {
  type Column,
  compileModel,
  compileQuery,
  loadCodeEngines,
  type Model,
  type NormalizedQuery,
  normalizeQuery,
  type QueryContext,
  QueryError,
  type SourceFile,
} from '../../../src/index.ts'
import { everyone, options } from '../../support/model.ts'
import type { Engines } from './engines.ts'
import { compileReference } from './reference.ts'
import { type Answer, asSet, orderOf } from './rows.ts'

/** A question as somebody asks it, ready for both planners. */
export interface Asked {
  readonly query: NormalizedQuery
  readonly context: QueryContext
}

/** One model on one data set, compiled by Hedron and by the field's compiler. */
export interface Oracle {
  readonly model: Model
  /** The field's `/v1/meta`; empty where it can't compile the model. */
  readonly referenceMeta: readonly unknown[]
  /** @param input a client's query; `as` in it is what differs from a caller without any rights of his own */
  read(input: unknown): Asked
  /** What Hedron answers, in a dialect, on its database. */
  ask(asked: Asked, dialect: 'postgres' | 'duckdb'): Promise<Compared>
  /** What the field's compiler answers, on PostgreSQL. */
  askReference(asked: Asked): Promise<Compared>
  /** What SQL written by hand answers: its columns are in the order of Hedron's. */
  askByHand(asked: Asked, sql: string): Promise<Compared>
}

/** What must be the same in two answers: the rows, their order where the query asks for one, their number without a limit. */
export interface Compared {
  readonly rows: readonly string[]
  readonly order: readonly (readonly unknown[])[]
  readonly total?: number
}

/**
 * Compiles a model twice.
 *
 * @param options.reference false where the field's compiler can't compile the model: asking it then fails
 */
export async function openOracle(
  { files, data }: { readonly files: readonly SourceFile[]; readonly data: string },
  engines: Engines,
  { reference: hasReference = true } = {},
): Promise<Oracle> {
  const model = compileFiles(files)
  const reference = hasReference ? await compileReference(files) : null
  const compile = ({ query, context }: Asked, dialect: 'postgres' | 'duckdb') =>
    compileQuery(model, query, context, dialect)
  const compare = (asked: Asked, rows: Answer['rows']) =>
    comparable(rows, asked.query, compile(asked, 'postgres').columns)
  const askField = async (asked: Asked, query: NormalizedQuery) => {
    if (!reference) throw new Error('The field has no compiler for this model')
    const { sql, parameters, memberOfAlias } = reference.compile(query, asked.context)
    const answer = await engines.ask('reference', data, { sql, parameters })
    const places = new Map(Object.entries(memberOfAlias).map(([alias, member]) => [member, place(answer, alias)]))
    const wanted = compile(asked, 'postgres').columns.map(column => places.get(fullName(column)) ?? -1)
    return answer.rows.map(row => wanted.map(column => row[column] ?? null))
  }
  return {
    model,
    referenceMeta: reference?.meta ?? [],
    read(input) {
      const { as = {}, ...query }: { as?: Partial<QueryContext> } = Object.assign({}, input)
      const context = { ...everyone, ...as }
      return { query: normalizeQuery(model, query, { ...options, context }), context }
    },
    async ask(asked, dialect) {
      const { total, ...statement } = compile(asked, dialect)
      const compared = compare(asked, (await engines.ask(dialect, data, statement)).rows)
      if (!total) return compared
      const { rows } = await engines.ask(dialect, data, total)
      return { ...compared, total: Number(rows[0]?.[0]) }
    },
    async askReference(asked) {
      const query = asked.query.ungrouped ? withKeys(model, asked) : asked.query
      const compared = compare(asked, await askField(asked, query))
      if (!query.total) return compared
      // The field counts the rows of the same query without its page.
      const { length } = await askField(asked, { ...query, rowLimit: 1_000_000, offset: 0 })
      return { ...compared, total: length }
    },
    async askByHand(asked, sql) {
      return compare(asked, (await engines.ask('reference', data, { sql, parameters: [] })).rows)
    },
  }
}

const codeEngines = await loadCodeEngines()

/** Compiles files of a model that must have no problems. */
export function compileFiles(files: readonly SourceFile[]): Model {
  const { model, problems } = compileModel(files, { engines: codeEngines })
  if (model) return model
  throw new Error(problems.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`).join('\n'))
}

/**
 * An ungrouped query with the primary keys of all cubes that it joins, as the field demands them by default. Where keys are
 * left out, the field reads a repeated measure once for each key and joins its parts by whatever columns are shown, so rows
 * get lost or multiplied. The contract has a row for each row of the join, so the keyed answer is compared, less its keys.
 */
function withKeys(model: Model, { query, context }: Asked): NormalizedQuery {
  try {
    compileQuery(model, query, { ...context, allowUngroupedWithoutPrimaryKey: false }, 'postgres')
    return query
  } catch (error) {
    if (!(error instanceof QueryError) || error.code !== 'ungrouped_keys') return query
    const [, keys = ''] = /in dimensions: (.*?)\. Pass/.exec(error.message) ?? []
    return {
      ...query,
      dimensions: [...query.dimensions, ...[...keys.matchAll(/'([^']+)'/g)].map(([, key = '']) => key)],
    }
  }
}

/** PostgreSQL cuts names of columns to 63 bytes. */
const place = ({ columns }: Answer, alias: string) =>
  columns?.indexOf(Buffer.from(alias).subarray(0, 63).toString()) ?? -1

const fullName = ({ member, granularity }: Pick<Column, 'member' | 'granularity'>) =>
  granularity === undefined ? member : `${member}.${granularity}`

function comparable(rows: Answer['rows'], query: NormalizedQuery, columns: readonly Column[]): Compared {
  // A time that is selected in several ways is in the order of its coarsest at least.
  const keys = query.order.map(({ id }) =>
    columns.findLastIndex(column => column.member === id || fullName(column) === id),
  )
  return { rows: asSet(rows), order: orderOf(rows, keys) }
}
