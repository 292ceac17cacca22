import { beforeAll, expect, test } from 'vitest'
import { describeModel } from '../../../src/index.ts'
import { everyone } from '../../support/model.ts'
import type { CorpusModel } from './corpus.ts'
import type { Engines } from './engines.ts'
import { makeQuestions } from './made-questions.ts'
import { compareMeta } from './meta.ts'
import { makeOperatorQuestions } from './operator-questions.ts'
import { compileFiles, type Oracle, openOracle } from './oracle.ts'

/** The tests of one model of the corpus. */
export function testModel(model: CorpusModel, engines: () => Engines): void {
  const questions = new Map([...model.asks, ...madeQuestions(model)])
  const isAnswered = model.unanswered === null
  let oracle: Oracle
  beforeAll(async () => {
    oracle = await openOracle(model, engines(), { reference: isAnswered })
  })

  test.each([...questions.keys()])('%s', async title => {
    const asked = oracle.read(questions.get(title))
    const postgres = await oracle.ask(asked, 'postgres')
    const duckdb = await oracle.ask(asked, 'duckdb')
    const exception = model.exceptions.get(title)
    if (!exception) {
      const reference = await oracle.askReference(asked)
      expect(postgres).toEqual(reference)
      expect(duckdb).toEqual(reference)
      return
    }
    const byHand = await oracle.askByHand(asked, exception.sql)
    expect(postgres).toEqual(byHand)
    expect(duckdb).toEqual(byHand)
    const reference = await oracle.askReference(asked).catch(() => null)
    expect(reference, 'the exception is no longer needed').not.toEqual(byHand)
  })

  test.runIf(isAnswered)('is described as the field describes it', () => {
    const found = compareMeta(describeModel(oracle.model, everyone, { includeHidden: true }), oracle.referenceMeta)
    expect(found.filter(({ at }) => !model.metaExceptions.has(at))).toEqual([])
    const places = found.map(({ at }) => at)
    expect([...model.metaExceptions.keys()].filter(at => !places.includes(at))).toEqual([])
  })

  test('every exception is for a question', () => {
    expect([...model.exceptions.keys()].filter(title => !questions.has(title))).toEqual([])
  })

  test.each([...model.refusals.keys()])('refuses: %s', async title => {
    const refusal = model.refusals.get(title)
    const ask = async () => {
      await oracle.ask(oracle.read(refusal?.query), 'postgres')
    }
    await expect(ask()).rejects.toThrow(refusal?.says)
  })
}

/** Without the field's compiler every question needs SQL written by hand, so none are made. */
function madeQuestions({ files, unanswered, everyOperator, notMade }: CorpusModel) {
  if (unanswered !== null) return []
  const model = compileFiles(files)
  const made = [...makeQuestions(model), ...(everyOperator ? makeOperatorQuestions(model) : [])]
  return made.filter(([title]) => !notMade.includes(title))
}
