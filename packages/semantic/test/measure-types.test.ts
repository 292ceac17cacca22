import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileModel, dialectNames, QueryError } from '../src/index.ts'
import { measureKinds, typesOfRows } from '../src/shapes/measure-kinds.ts'
import { measureTypes } from '../src/shapes/vocabulary.ts'
import { words } from './fuzz/corpus.ts'
import { type Database, openDatabase } from './support/database.ts'
import { type GoldenCase, goldenData, readGoldenCases } from './support/golden.ts'
import { compileFor, modelOf } from './support/model.ts'

/** What a measure type needs beside what the type checker asks for: README.md, "Adding a measure type". */
const page = readFileSync(join(import.meta.dirname, '../../../docs/data-model.md'), 'utf8')
const askedTypes = new Set(readGoldenCases().flatMap(typesOfQuery))

/** Types of the measures that a golden case asks for by the names of their cubes. */
function typesOfQuery({ model, query }: GoldenCase): string[] {
  const asked = JSON.stringify(query)
  return model.cubes.flatMap(cube =>
    cube.measures.flatMap(({ name, type }) => (asked.includes(`"${cube.name}.${name}"`) ? [type] : [])),
  )
}

describe.each(measureTypes)('measures of type %s', type => {
  test('are on the page of the language', () => {
    expect(page.includes(`\`${type}\``) || page.includes(`\`type: ${type}\``)).toBe(true)
  })

  test('are among the words of the fuzz', () => {
    expect(words).toContain(type)
  })

  test('are asked for in a golden case', () => {
    expect([...askedTypes]).toContain(type)
  })

  test('take a currency exactly where their values are numbers', () => {
    const { of, values } = measureKinds[type]
    const stage = of === 'groups' ? ', multi_stage: true' : ''
    const rest = type === 'rank' ? ', order_by: [{ sql: "{count}" }]' : ', sql: "{count}"'
    const content = `cubes:
  - name: orders
    sql_table: orders
    measures:
      - { name: count, type: count }
      - { name: m, type: ${type}, currency: EUR${stage}${of === 'rows' ? ', sql: amount' : rest} }
`
    const codes = compileModel([{ path: 'model/model.yml', content }]).problems.map(({ code }) => code)
    expect(codes).toEqual(values === 'number' ? [] : ['currency_measure'])
  })
})

describe('what is said of types of rows is what DuckDB does', () => {
  let database: Database
  beforeAll(async () => {
    database = await openDatabase(goldenData)
  })
  afterAll(() => database.close())

  // A running total is a sum over all times.
  const typeOf = (type: string) => (type === 'running_total' ? 'sum' : type)
  const measures = typesOfRows.map(type => `      - { name: ${type}, type: ${typeOf(type)}, sql: amount }`).join('\n')
  const cubes = `cubes:
  - name: orders
    sql_table: orders
    joins: [{ name: line_items, sql: "{CUBE}.id = {line_items}.order_id", relationship: one_to_many }]
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: status, sql: status, type: string }
    measures:
${measures}
  - name: line_items
    sql_table: line_items
    dimensions: [{ name: line, sql: line, type: number }]
`
  const model = modelOf(cubes)
  const ask = (query: unknown, of = model) => database.query(compileFor(of, query))

  test.each(typesOfRows)('%s of no rows', async type => {
    const filters = [{ member: 'orders.status', operator: 'equals', values: ['nowhere'] }]
    expect(await ask({ measures: [`orders.${type}`], filters })).toEqual([
      [measureKinds[type].ofNothing?.toString() ?? null],
    ])
  })

  // The filter asks for the join, and leaves out orders without lines.
  const joined = { filters: [{ member: 'line_items.line', operator: 'set' }] }
  const withLines = modelOf(
    cubes.replace('sql_table: orders', 'sql: SELECT * FROM orders WHERE id IN (SELECT order_id FROM line_items)'),
  )

  test.each(typesOfRows)('%s of rows that a join repeats', async type => {
    const query = { measures: [`orders.${type}`] }
    expect(await ask({ ...query, ...joined })).toEqual(await ask(query, withLines))
  })

  test.each(typesOfRows.filter(type => measureKinds[type].combine))('%s of all, from parts', async type => {
    const [[whole] = []] = await ask({ measures: [`orders.${type}`] })
    const rows = await ask({ measures: [`orders.${type}`], dimensions: ['orders.status'] })
    const parts = rows.flatMap(([, part]) => (part === null ? [] : [Number(part)]))
    const { combine } = measureKinds[type]
    const combined = combine === 'min' || combine === 'max' ? Math[combine](...parts) : parts.reduce((a, b) => a + b)
    expect(Number(whole)).toBe(combined)
  })

  test.each(typesOfRows)('%s has SQL in every dialect, or is refused', type => {
    for (const dialect of dialectNames) {
      try {
        expect(compileFor(model, { measures: [`orders.${type}`] }, dialect).sql).toMatch(/^SELECT\s+\S.*\(.*amount/s)
      } catch (error) {
        if (!(error instanceof QueryError)) throw error
      }
    }
  })
})
