import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compileModel, dialectNames } from '../src/index.ts'
import { measureKinds, typesOfRows } from '../src/shapes/measure-kinds.ts'
import { measureTypes } from '../src/shapes/vocabulary.ts'
import { words } from './fuzz/corpus.ts'
import { openDatabase } from './support/database.ts'
import { goldenData, readGoldenCases } from './support/golden.ts'
import { compileFor, modelOf } from './support/model.ts'

/** What a new measure type needs beside the compiler's and the type checker's reminders. */
describe.each(measureTypes)('measures of type %s', type => {
  test('are on the page of the language', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/data-model.md'), 'utf8')
    expect(page).toMatch(new RegExp(`\`(type: )?${type}\``))
  })

  test('are among the words of the fuzz', () => {
    expect(words).toContain(type)
  })

  test('are in a model of the golden cases', () => {
    const types = readGoldenCases().flatMap(({ model }) => model.cubes.flatMap(cube => cube.measures.map(m => m.type)))
    expect(types).toContain(type)
  })

  test('take a currency exactly where their values are numbers', () => {
    const stage = measureKinds[type].of === 'groups' ? ', multi_stage: true' : ''
    const rest = type === 'rank' ? ', order_by: [{ sql: "{count}" }]' : type === 'count' ? '' : ', sql: "{count}"'
    const sql = measureKinds[type].of === 'rows' ? ', sql: amount' : rest
    const content = `cubes:
  - name: orders
    sql_table: orders
    measures:
      - { name: count, type: count }
      - { name: m, type: ${type}, currency: EUR${stage}${sql} }
`
    const codes = compileModel([{ path: 'model/model.yml', content }]).problems.map(({ code }) => code)
    expect(codes).toEqual(measureKinds[type].values === 'number' ? [] : ['currency_measure'])
  })
})

describe('what is said of types of rows is what DuckDB does', () => {
  const model = modelOf(`cubes:
  - name: orders
    sql_table: orders
    measures:
${typesOfRows.map(type => `      - { name: ${type}, type: ${type === 'running_total' ? 'sum' : type}, sql: amount }`).join('\n')}
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: status, sql: status, type: string }
`)

  test.each(typesOfRows)('%s of nothing', async type => {
    const database = await openDatabase(goldenData)
    const filters = [{ member: 'orders.status', operator: 'equals', values: ['nowhere'] }]
    const rows = await database.query(compileFor(model, { measures: [`orders.${type}`], filters }))
    database.close()
    const { ofNothing } = measureKinds[type]
    expect(rows).toEqual([[ofNothing === null ? null : String(ofNothing)]])
  })

  test.each(typesOfRows)('%s has SQL in every dialect', type => {
    for (const dialect of dialectNames) {
      expect(compileFor(model, { measures: [`orders.${type}`] }, dialect).sql).toMatch(/^SELECT\s+\S.*\(.*amount/s)
    }
  })
})
