import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runsOf } from '../support/property-runs.ts'
import { type Engines, openEngines } from './support/engines.ts'
import { generatedQuery, sampleModels } from './support/generated.ts'
import { openOracle } from './support/oracle.ts'

/**
 * Models, rows and questions that nobody wrote. `HEDRON_ORACLE_MODELS` and `HEDRON_ORACLE_QUERIES` set how many models
 * there are and how many questions are asked of each, `HEDRON_ORACLE_SEED` which.
 */
const count = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise)
const modelCount = count('HEDRON_ORACLE_MODELS', 12)
const queryCount = count(
  'HEDRON_ORACLE_QUERIES',
  Math.ceil(runsOf('answers of generated models are those of the field') / modelCount),
)
const seed = count('HEDRON_ORACLE_SEED', 2024)

const models = sampleModels('made', modelCount, seed)

let engines: Engines
beforeAll(async () => {
  engines = await openEngines(models.map(({ data }) => data))
})
afterAll(() => engines.close())

let answered = 0

test.each(models.map((model, place) => [place, model] as const))(
  'model %i is answered as the field answers it',
  async (place, model) => {
    const oracle = await openOracle({ files: model.files, data: model.data.name }, engines)
    await fc.assert(
      fc.asyncProperty(generatedQuery(model), async input => {
        const refused = (error: unknown) => `refused: ${reasonOf(error)}`
        const asked = oracle.read(input)
        const reference = await oracle.askReference(asked).catch(refused)
        const postgres = await oracle.ask(asked, 'postgres').catch(refused)
        const duckdb = await oracle.ask(asked, 'duckdb').catch(refused)
        expect(postgres).toEqual(reference)
        expect(duckdb).toEqual(reference)
        if (typeof reference !== 'string') answered++
      }),
      { seed: seed + place, numRuns: queryCount },
    )
  },
  600_000,
)

test('most questions have answers', () => {
  expect(answered).toBeGreaterThan((modelCount * queryCount) / 3)
})

/** The sort of refusal; the words after it differ. */
const reasonOf = (error: unknown) => (error instanceof Error ? error.message.replace(/'.*/s, '').trim() : String(error))
