import {
  type Column,
  compileModel,
  compileQuery,
  loadCodeEngines,
  type Model,
  type NormalizedQuery,
  normalizeQuery,
  type SourceFile,
} from '../../../src/index.ts'
import { everyone, options } from '../../support/model.ts'
import type { Engines } from './engines.ts'
import { compileReference } from './reference.ts'
import { type Answer, asSet, orderOf } from './rows.ts'

/** One model on one data set, compiled by Hedron and by the field's compiler. */
export interface Oracle {
  readonly model: Model
  /** The field's `/v1/meta`; empty where it can't compile the model. */
  readonly referenceMeta: readonly unknown[]
  normalize(query: unknown): NormalizedQuery
  /** What Hedron answers, in a dialect, on its database. */
  ask(query: NormalizedQuery, dialect: 'postgres' | 'duckdb'): Promise<Compared>
  /** What the field's compiler answers, on PostgreSQL. */
  askReference(query: NormalizedQuery): Promise<Compared>
  /** What SQL written by hand answers: its columns are in the order of Hedron's. */
  askByHand(query: NormalizedQuery, sql: string): Promise<Compared>
}

/** What must be the same in two answers: the rows, and their order where the query asks for one. */
export interface Compared {
  readonly rows: readonly string[]
  readonly order: readonly (readonly unknown[])[]
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
  const compile = (query: NormalizedQuery, dialect: 'postgres' | 'duckdb') =>
    compileQuery(model, query, everyone, dialect)
  const compare = (query: NormalizedQuery, rows: Answer['rows']) =>
    comparable(rows, query, compile(query, 'postgres').columns)
  return {
    model,
    referenceMeta: reference?.meta ?? [],
    normalize: query => normalizeQuery(model, query, options),
    async ask(query, dialect) {
      return compare(query, (await engines.ask(dialect, data, compile(query, dialect))).rows)
    },
    async askReference(query) {
      if (!reference) throw new Error('The field has no compiler for this model')
      const { sql, parameters, memberOfAlias } = reference.compile(query)
      const answer = await engines.ask('reference', data, { sql, parameters })
      const places = new Map(Object.entries(memberOfAlias).map(([alias, member]) => [member, place(answer, alias)]))
      const wanted = compile(query, 'postgres').columns.map(column => places.get(fullName(column)) ?? -1)
      return compare(
        query,
        answer.rows.map(row => wanted.map(column => row[column] ?? null)),
      )
    },
    async askByHand(query, sql) {
      return compare(query, (await engines.ask('reference', data, { sql, parameters: [] })).rows)
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
