import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { QueryContext } from '../src/index.ts'
import { type Database, openDatabase } from './support/database.ts'
import { compileFor, everyone, modelOf } from './support/model.ts'

/**
 * test/golden/<case>/ holds query.json, reference.sql (the same question, written by hand), a model.yml where shop.yml does not
 * serve, and a caller.json where it matters who asks; then guarded-shop.yml serves. Both dialects' SQL is kept beside them; DuckDB's is run, and its rows are those of reference.sql.
 */
const golden = join(import.meta.dirname, 'golden')
const read = (...path: string[]) => readFileSync(join(golden, ...path), 'utf8')
const cases = readdirSync(golden, { withFileTypes: true }).flatMap(entry => (entry.isDirectory() ? [entry.name] : []))

let database: Database
beforeAll(async () => {
  database = await openDatabase(read('data.sql'))
})
afterAll(() => database.close())

describe.each(cases)('%s', name => {
  const hasModel = existsSync(join(golden, name, 'model.yml'))
  const hasCaller = existsSync(join(golden, name, 'caller.json'))
  const model = modelOf(hasModel ? read(name, 'model.yml') : read(hasCaller ? 'guarded-shop.yml' : 'shop.yml'))
  const caller: QueryContext = hasCaller ? { ...everyone, ...JSON.parse(read(name, 'caller.json')) } : everyone
  const query: unknown = JSON.parse(read(name, 'query.json'))

  test('is the SQL that was agreed on', async ({ expect }) => {
    const duckdb = compileFor(model, query, 'duckdb', caller)
    await expect(written(duckdb)).toMatchFileSnapshot(join(golden, name, 'expected.sql'))
    await expect(written(compileFor(model, query, 'postgres', caller))).toMatchFileSnapshot(
      join(golden, name, 'expected.postgres.sql'),
    )
  })

  test('finds the rows that SQL written by hand finds', async ({ expect }) => {
    const reference = read(name, 'reference.sql')
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
