import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runsOf } from '../support/property-runs.ts'
import { type Engines, openEngines } from './support/engines.ts'
import { type GeneratedModel, generatedQuery, sampleModels } from './support/generated.ts'
import { openOracle } from './support/oracle.ts'

/**
 * Ungrouped queries give the rows after joining and filtering, none put together, with each measure's value for that row (data-model.md and
 * query.md section 4). The field does so for dimensions. Where joins repeat the rows of a measure it goes another way and gives other rows: a
 * measure repeated by one join comes once for each of its keys, and several of them come in every combination with each other. So a measure
 * is held against a dimension that has its value for one row.
 */
const valueOfRow = `      - { name: row_count, sql: "CASE WHEN {id} IS NOT NULL THEN 1 END", type: number }
      - { name: row_total, sql: "{amount} + 0", type: number }
      - { name: row_mean, sql: "{amount} + 0", type: number }
      - { name: row_most, sql: "{amount} + 0", type: number }
      - { name: row_kinds, sql: "CASE WHEN {kind} IS NOT NULL THEN 1 END", type: number }
      - { name: row_flagged, sql: "CASE WHEN {flag} THEN {amount} END", type: number }
      - { name: row_each, sql: "{amount} / 1", type: number }
    measures:
`

const modelCount = 10
const queryCount = Math.ceil(runsOf('ungrouped queries') / modelCount)
const seed = 77

const models = sampleModels('rows', modelCount, seed).map(withValuesOfRows)

let engines: Engines
beforeAll(async () => {
  engines = await openEngines(models.map(({ data }) => data))
})
afterAll(() => engines.close())

let answered = 0

test.each(models.map((model, place) => [place, model] as const))(
  'ungrouped: rows of model %i are those that are joined, with the value of each measure for the row',
  async (place, model) => {
    const oracle = await openOracle({ files: model.files, data: model.data.name }, engines)
    await fc.assert(
      fc.asyncProperty(generatedQuery(model), async input => {
        const { measures, dimensions, ...rest } = ungrouped(input)
        const refused = (error: unknown) => `refused: ${error instanceof Error ? error.name : String(error)}`
        const asked = oracle.read({ ...rest, measures, dimensions })
        const asDimensions = oracle.read({
          ...rest,
          dimensions: [...measures.map(measure => measure.replace('.', '.row_')), ...dimensions],
        })
        const reference = await oracle
          .askReference(asDimensions)
          .then(({ rows }) => rows.map(row => measuresLast(row, measures.length)).toSorted(), refused)
        const rowsOf = async (dialect: 'postgres' | 'duckdb') => (await oracle.ask(asked, dialect)).rows
        const postgres = await rowsOf('postgres').catch(refused)
        if (typeof reference === 'string') {
          expect(postgres).toMatch(/^refused/)
          return
        }
        expect(postgres).toEqual(reference)
        expect(await rowsOf('duckdb')).toEqual(reference)
        answered++
      }),
      { seed: seed + place, numRuns: queryCount },
    )
  },
  600_000,
)

test('most ungrouped queries have answers', () => {
  expect(answered).toBeGreaterThan((modelCount * queryCount) / 3)
})

function withValuesOfRows(model: GeneratedModel): GeneratedModel {
  const files = model.files.map(file => ({ ...file, content: file.content.replaceAll('    measures:\n', valueOfRow) }))
  return { ...model, files }
}

interface Ungrouped {
  readonly measures: readonly string[]
  readonly dimensions: readonly string[]
  readonly [key: string]: unknown
}

/** The query without what rows have no answer to: filters of measures, and an order by what has no order between equals. */
function ungrouped(input: Readonly<Record<string, unknown>>): Ungrouped {
  const { filters = [], measures = [], dimensions = [], order: _order, total: _total, ...rest } = input
  if (!Array.isArray(filters) || !Array.isArray(measures) || !Array.isArray(dimensions)) {
    throw new Error('generated queries have lists')
  }
  const ofRows = filters.filter(filter => !/"[^"]*\.(?:count|kinds|total)"/.test(JSON.stringify(filter)))
  return { ...rest, measures, dimensions, filters: ofRows, ungrouped: true }
}

function measuresLast(row: string, count: number): string {
  const cells: readonly unknown[] = JSON.parse(row)
  return JSON.stringify([...cells.slice(count), ...cells.slice(0, count)])
}
