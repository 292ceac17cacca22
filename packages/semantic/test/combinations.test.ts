import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { QueryError } from '../src/index.ts'
import { combinations, refusals } from './fixtures/combinations/cases.ts'
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
  test('has the rows of SQL written by hand', async () => {
    const expected = await database.query({ sql, parameters: [] })
    const rows = await database.query(compileFor(model, query))
    expect(comparable(rows, query)).toEqual(comparable(expected, query))
  })
})

test('a total is the number of all rows, whatever is shown of them', async () => {
  const whole = combinations.filter(({ query }) => !('limit' in query))
  for (const { query } of whole) {
    const rows = await database.query(compileFor(model, query))
    const { total } = compileFor(model, { ...query, limit: 1, offset: 1, total: true })
    expect(total && (await database.query(total))).toEqual([[String(rows.length)]])
  }
})

test('a measure has the same values alone and beside others', async () => {
  for (const { name, query } of combinations) {
    if (!('measures' in query) || !Array.isArray(query.measures) || 'limit' in query || 'order' in query) continue
    const measures = [...new Set(query.measures)]
    // Alone, a fact has no way to what another one is filtered by.
    if (measures.some(measure => measure.startsWith('activity.'))) continue
    const all = await database.query(compileFor(model, { ...query, order: [] }))
    for (const [position, measure] of measures.entries()) {
      const alone = await database.query(compileFor(model, { ...query, measures: [measure], order: [] }))
      const group = (row: readonly unknown[], count: number) => JSON.stringify(row.slice(0, row.length - count))
      const values = new Map(alone.map(row => [group(row, 1), numeric(row.at(-1)) ?? 0]))
      for (const row of all) {
        const key = group(row, measures.length)
        const value = numeric(row.at(position - measures.length)) ?? 0
        expect([name, measure, key, value]).toEqual([name, measure, key, values.get(key) ?? 0])
        values.delete(key)
      }
      expect([name, measure, [...values.keys()]]).toEqual([name, measure, []])
    }
  }
})

test.each(refusals)('$name: refused', ({ query, says }) => {
  expect(() => compileFor(model, query)).toThrow(QueryError)
  expect(() => compileFor(model, query)).toThrow(says)
})

/** Rows in their order where the query says one; where it says none, in any. */
function comparable(rows: readonly (readonly unknown[])[], query: object) {
  const texts = rows.map(row => JSON.stringify(row.map(numeric)))
  return 'order' in query ? texts : texts.sort()
}

/** Databases differ in how many digits they keep of the same number. */
const numeric = (cell: unknown) =>
  typeof cell === 'string' && /^-?\d+(\.\d+)?$/.test(cell) ? Number(Number(cell).toPrecision(12)) : cell
