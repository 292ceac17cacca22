import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type Database, openDatabase } from './support/database.ts'
import { goldenData, readGoldenCases } from './support/golden.ts'
import { compileFor } from './support/model.ts'

/**
 * test/golden/<case>/ holds query.json, reference.sql (the same question, written by hand), a model.yml where shop.yml does not
 * serve, and a caller.json where it matters who asks; then guarded-shop.yml serves. The SQL of DuckDB and PostgreSQL is kept
 * beside them; DuckDB's is run, and its rows are those of reference.sql. `test/dialects/` asks the same of other databases.
 */
const golden = join(import.meta.dirname, 'golden')
let database: Database
beforeAll(async () => {
  database = await openDatabase(goldenData)
})
afterAll(() => database.close())

describe.each(readGoldenCases())('$name', ({ name, model, query, caller, reference }) => {
  test('is the SQL that was agreed on', async ({ expect }) => {
    const duckdb = compileFor(model, query, 'duckdb', caller)
    await expect(written(duckdb)).toMatchFileSnapshot(join(golden, name, 'expected.sql'))
    await expect(written(compileFor(model, query, 'postgres', caller))).toMatchFileSnapshot(
      join(golden, name, 'expected.postgres.sql'),
    )
  })

  test('finds the rows that SQL written by hand finds', async ({ expect }) => {
    const expected = await database.query({ sql: reference, parameters: [] })
    const rows = await database.query(compileFor(model, query, 'duckdb', caller))
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.map(numeric)).toEqual(expected.map(numeric))
  })
})

/** Databases differ in how many digits they keep of the same number. */
const numeric = (row: readonly unknown[]) =>
  row.map(cell =>
    typeof cell === 'string' && /^-?\d+(\.\d+)?$/.test(cell) ? Number(Number(cell).toPrecision(12)) : cell,
  )

const written = ({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) =>
  `${sql}\n-- ${JSON.stringify(parameters)}\n`
