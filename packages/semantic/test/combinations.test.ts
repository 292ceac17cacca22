import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { combinations } from './fixtures/combinations/cases.ts'
import { type Database, openDatabase } from './support/database.ts'
import { compileFor, modelOf } from './support/model.ts'

/** Features that have cases of their own in test/golden/, together: their rows are those of SQL written by hand. */
const fixtures = join(import.meta.dirname, 'fixtures', 'combinations')
const model = modelOf(readFileSync(join(fixtures, 'model.yml'), 'utf8'))
let database: Database
beforeAll(async () => {
  database = await openDatabase(readFileSync(join(fixtures, 'data.sql'), 'utf8'))
})
afterAll(() => database.close())

describe.each(combinations)('$name', ({ query, sql }) => {
  test('has the rows of SQL written by hand', async ({ expect }) => {
    const expected = await database.query({ sql, parameters: [] })
    const rows = await database.query(compileFor(model, query))
    expect(comparable(rows, query)).toEqual(comparable(expected, query))
  })
})

/** Rows in their order where the query says one; where it says none, in any. */
function comparable(rows: readonly (readonly unknown[])[], query: object) {
  const texts = rows.map(row => JSON.stringify(row.map(numeric)))
  return 'order' in query ? texts : texts.sort()
}

/** Databases differ in how many digits they keep of the same number. */
const numeric = (cell: unknown) =>
  typeof cell === 'string' && /^-?\d+(\.\d+)?$/.test(cell) ? Number(Number(cell).toPrecision(12)) : cell
