import { afterAll, beforeAll, expect, test } from 'vitest'
import { askSuite, type Graded } from './support/ask-suite.ts'
import { readSuite } from './support/questions.ts'

/** The models whose data is small; `npm run evals` asks the flights demo too. */
const names = ['shop', 'finance', 'hospital']

let graded: Graded[] = []
beforeAll(async () => {
  for (const name of names) {
    const suite = await readSuite(name)
    const engine = await suite.open()
    try {
      graded = [...graded, ...(await askSuite(suite, engine))]
    } finally {
      engine.close()
    }
  }
}, 120_000)
afterAll(() => {
  graded = []
})

const share = (grade: Graded['grade'], of: readonly Graded[]) =>
  of.filter(each => each.grade === grade).length / of.length

test('nine of ten questions of the suite are answered rightly, those held out too', () => {
  expect(share('right', graded)).toBeGreaterThan(0.9)
  expect(
    share(
      'right',
      graded.filter(({ question }) => question.held),
    ),
  ).toBeGreaterThan(0.85)
})

test('hardly any answer is given with confidence and wrong', () => {
  expect(share('wrong', graded)).toBeLessThan(0.04)
})

test('what cannot be answered is said, with questions that can', () => {
  const refused = graded.filter(({ question, grade }) => question.cannot && grade === 'right')
  expect(refused.length).toBeGreaterThan(20)
  for (const { text } of refused) expect(text).toMatch(/You can ask, for example:\n\n- /)
})

test('every number that is told stands in the answer, in the statement or in the question', () => {
  const numbers = (text: string) => (text.match(/\d[\d,]*(?:\.\d+)?/g) ?? []).map(each => each.replaceAll(',', ''))
  for (const { text, sql, question, shown } of graded) {
    if (sql === null) continue
    const known = new Set([...numbers(sql), ...numbers(question.ask), ...shown.flatMap(numbers)])
    for (const number of numbers(text)) expect([...known], `${question.ask}: ${text}`).toContain(number)
  }
})
