import { expect, test, vi } from 'vitest'
import { compileModel, describeModel, dialectNames, type Model } from '../../src/index.ts'
import { compileFor, everyone } from '../support/model.ts'
import { readCorpus } from './corpus.ts'
import { createDice, type Dice, mutatedModel } from './mutate.ts'
import { membersOf, randomQuery } from './random-query.ts'

/** `npm run fuzz` runs many more; a failure names its seed, and `HEDRON_FUZZ_SEED` with one run repeats it. */
const runs = Number(process.env.HEDRON_FUZZ_RUNS ?? 4000)
const firstSeed = Number(process.env.HEDRON_FUZZ_SEED ?? 1)
/** Far above what any model of this size takes; what takes longer could as well never end. */
const longestMilliseconds = 5_000
const queriesForEach = 6

vi.setConfig({ testTimeout: 24 * 3_600_000 })

const corpus = readCorpus()

function checkCompile(content: string): Model | null {
  const began = performance.now()
  const { model, problems, warnings } = compileModel([{ path: 'model/model.yml', content }])
  expect(performance.now() - began).toBeLessThan(longestMilliseconds)
  expect(model === null).toBe(problems.length > 0)
  const lines = content.split(/\r\n|\n|\r/).length
  for (const { file, line, column, message } of [...problems, ...warnings]) {
    expect(file).toBe('model/model.yml')
    expect(line).toBeGreaterThanOrEqual(1)
    expect(line).toBeLessThanOrEqual(lines + 1)
    expect(column).toBeGreaterThanOrEqual(1)
    expect(message.length).toBeGreaterThan(10)
    expect(message).not.toMatch(/\[object Object\]|\bNaN\b/)
  }
  // What is wrong is the same when it is asked again, and a sound model is plain data.
  if (model) expect(JSON.parse(JSON.stringify(model))).toEqual(model)
  return model
}

function checkQueries(model: Model, dice: Dice): number {
  const members = membersOf(model)
  describeModel(model, everyone)
  let answered = 0
  for (let count = 0; count < queriesForEach; count++) {
    const query = randomQuery(members, dice)
    for (const dialect of dialectNames) {
      try {
        const { sql, parameters } = compileFor(model, query, dialect)
        expect(sql).not.toMatch(/\bundefined\b|\[object Object\]|\bNaN\b/)
        expect(parameters.every(parameter => ['string', 'number'].includes(typeof parameter))).toBe(true)
        answered += 1
      } catch (error) {
        expect(error, JSON.stringify(query)).toHaveProperty('name', 'QueryError')
      }
    }
  }
  return answered
}

test('a model with random changes compiles or has problems with a place, and every query of it is answered or refused', () => {
  let sound = 0
  let answered = 0
  for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
    const dice = createDice(seed)
    const content = mutatedModel(dice, corpus)
    try {
      const model = checkCompile(content)
      if (!model) continue
      sound += 1
      answered += checkQueries(model, dice)
    } catch (error) {
      const where = `HEDRON_FUZZ_SEED=${seed} HEDRON_FUZZ_RUNS=1 repeats this:\n${content}`
      throw new Error(where, { cause: error })
    }
  }
  // Mutations that only ever break models would say nothing about queries.
  if (runs >= 1000) {
    expect(sound / runs).toBeGreaterThan(0.05)
    expect(answered).toBeGreaterThan(runs / 20)
  }
})
