import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeModel } from '../../src/index.ts'
import { everyone } from '../support/model.ts'
import { dataSets } from './data/data-sets.ts'
import { modelNames, readModel } from './support/corpus.ts'
import { type Engines, openEngines } from './support/engines.ts'
import { makeQuestions } from './support/made-questions.ts'
import { compareMeta } from './support/meta.ts'
import { compileFiles, type Oracle, openOracle } from './support/oracle.ts'

/**
 * models/<name>/ is a model and, in queries.yml, the data set and the questions asked of it. Each question is answered by
 * the field's compiler on PostgreSQL, and by Hedron on PostgreSQL and on DuckDB: the same rows, in the order asked for.
 */
let engines: Engines
beforeAll(async () => {
  engines = await openEngines(dataSets)
})
afterAll(() => engines.close())

describe.each(modelNames())('%s', name => {
  const model = readModel(name)
  // Without the field's compiler every question needs SQL written by hand.
  const made = model.uncompiled === null ? makeQuestions(compileFiles(model.files)) : []
  const questions = new Map([...model.asks, ...made.filter(([title]) => !model.notMade.includes(title))])
  let oracle: Oracle
  beforeAll(async () => {
    oracle = await openOracle(model, engines, { reference: model.uncompiled === null })
  })

  test.each([...questions.keys()])('%s', async title => {
    const query = oracle.normalize(questions.get(title))
    const postgres = await oracle.ask(query, 'postgres')
    const duckdb = await oracle.ask(query, 'duckdb')
    const exception = model.exceptions.get(title)
    if (!exception) {
      const reference = await oracle.askReference(query)
      expect(postgres).toEqual(reference)
      expect(duckdb).toEqual(reference)
      return
    }
    const byHand = await oracle.askByHand(query, exception.sql)
    expect(postgres).toEqual(byHand)
    expect(duckdb).toEqual(byHand)
    const reference = await oracle.askReference(query).catch(() => null)
    expect(reference, 'the exception is no longer needed').not.toEqual(byHand)
  })

  test.runIf(model.uncompiled === null)('is described as the field describes it', () => {
    const found = compareMeta(describeModel(oracle.model, everyone, { includeHidden: true }), oracle.referenceMeta)
    expect(found.filter(({ at }) => !model.metaExceptions.has(at))).toEqual([])
  })

  test('every exception is for a question', () => {
    expect([...model.exceptions.keys()].filter(title => !questions.has(title))).toEqual([])
  })

  test.each([...model.refusals.keys()])('refuses: %s', async title => {
    const refusal = model.refusals.get(title)
    const ask = async () => {
      const query = oracle.normalize(refusal?.query)
      await oracle.ask(query, 'postgres')
    }
    await expect(ask()).rejects.toThrow(refusal?.says)
  })
})
