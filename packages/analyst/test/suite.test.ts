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
}, 600_000)
afterAll(() => {
  graded = []
})

const share = (grade: Graded['grade'], of: readonly Graded[]) =>
  of.filter(each => each.grade === grade).length / of.length

const isHeld = ({ question }: Graded) => question.held === true

test('nine of ten questions of the suite are answered rightly, and two of three that nobody has worked on', () => {
  expect(share('right', graded)).toBeGreaterThan(0.9)
  expect(share('right', graded.filter(isHeld))).toBeGreaterThan(0.66)
})

test('no answer is given with confidence and wrong where it was looked into, and few elsewhere', () => {
  const seen = graded.filter(each => !isHeld(each))
  expect(seen.filter(({ grade }) => grade === 'wrong').map(({ question }) => question.ask)).toEqual([])
  expect(share('wrong', graded.filter(isHeld))).toBeLessThan(0.15)
})

test('what cannot be answered is said, with questions that can', () => {
  // Some may be answered in one way or refused; what is said of the refusals is looked at here.
  const refused = graded.filter(({ question, grade, sql }) => question.cannot && grade === 'right' && sql === null)
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
