import { createTestDatabase } from '@hedron/store/testing'
import pg from 'pg'
import type { Statement } from '../../../src/index.ts'
import { openDatabase } from '../../support/database.ts'
import { createStatements, type DataSet } from './data-set.ts'
import { type Answer, canonicalCell } from './rows.ts'

/** Who runs a statement: the field's compiler has a session of its own, set as its driver sets it. */
export type Engine = 'reference' | 'postgres' | 'duckdb'

export interface Engines {
  ask(engine: Engine, dataSet: string, statement: ReferenceStatement): Promise<Answer>
  close(): Promise<void>
}

type ReferenceStatement = Pick<Statement, 'sql'> & { readonly parameters: readonly unknown[] }

/** A PostgreSQL and a DuckDB with the same rows. */
export async function openEngines(dataSets: readonly DataSet[]): Promise<Engines> {
  const statements = dataSets.flatMap(createStatements)
  const duckdb = await openDatabase(...statements)
  const database = await createTestDatabase<Record<string, never>>()
  const connect = async (timezone: string) => {
    const client = new pg.Client({ connectionString: database.url, types: { getTypeParser: () => String } })
    await client.connect()
    await client.query(`SET TIME ZONE '${timezone}'`)
    return client
  }
  const reference = await connect('UTC')
  // Zones must come from the SQL, so the session's own must make no difference.
  const postgres = await connect('Asia/Tokyo')
  for (const statement of [...approximateCounts, ...statements]) await reference.query(statement)

  const current = new Map<Engine, string>()
  async function use(engine: Engine, dataSet: string): Promise<void> {
    if (current.get(engine) === dataSet) return
    if (engine === 'duckdb') await duckdb.run(`SET schema = '${dataSet}'`)
    else await (engine === 'reference' ? reference : postgres).query(`SET search_path = ${dataSet}, public`)
    current.set(engine, dataSet)
  }

  return {
    async ask(engine, dataSet, { sql, parameters }) {
      await use(engine, dataSet)
      if (engine === 'duckdb') {
        const rows = await duckdb.query({ sql, parameters: parameters.map(duckdbParameter) })
        return { columns: null, rows: rows.map(row => row.map(canonicalCell)) }
      }
      const client = engine === 'reference' ? reference : postgres
      const { fields, rows } = await client.query({ text: sql, values: [...parameters], rowMode: 'array' })
      const boolean = fields.map(({ dataTypeID }) => dataTypeID === booleanType)
      return {
        columns: fields.map(({ name }) => name),
        rows: rows.map((row: (string | null)[]) =>
          row.map((cell, column) => canonicalCell(cell !== null && boolean[column] ? cell === 't' : cell)),
        ),
      }
    },
    async close() {
      await Promise.all([reference.end(), postgres.end()])
      await database.close()
      duckdb.close()
    },
  }
}

const booleanType = 16

const duckdbParameter = (value: unknown) => (typeof value === 'number' ? value : String(value))

/** The field counts approximately with an extension that is not installed. These count exactly, which is never off. */
const approximateCounts = [
  `CREATE FUNCTION hll_hash_any(value anyelement) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT value::text'`,
  `CREATE AGGREGATE hll_add_agg(text) (SFUNC = array_append, STYPE = text[], INITCOND = '{}')`,
  `CREATE FUNCTION hll_cardinality(kept text[]) RETURNS double precision LANGUAGE sql IMMUTABLE
     AS 'SELECT count(DISTINCT item)::double precision FROM unnest(kept) AS item'`,
]
