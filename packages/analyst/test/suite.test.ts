import { afterAll, beforeAll, expect, test } from 'vitest'
import { askSuite, type Graded } from './support/ask-suite.ts'
import { readSuite } from './support/questions.ts'
import { suggestionsIn } from './support/suggestions.ts'

/** The models whose data is small, seen and unseen; `npm run evals` asks the flights demo too. */
const names = ['shop', 'finance', 'hospital', 'helpdesk', 'rentals']

let graded: Graded[] = []
/** Suggestions that were made, each with how it is answered itself. */
let suggested: Graded[] = []
beforeAll(async () => {
  for (const name of names) {
    const suite = await readSuite(name)
    const engine = await suite.open()
    try {
      const answered = await askSuite(suite, engine)
      graded = [...graded, ...answered]
      const asks = new Set(answered.flatMap(({ text, sql }) => (sql === null ? suggestionsIn(text) : [])))
      const questions = [...asks].map(ask => ({ ask }))
      suggested = [...suggested, ...(await askSuite({ ...suite, questions }, engine))]
    } finally {
      engine.close()
    }
  }
}, 600_000)
afterAll(() => {
  graded = []
  suggested = []
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

test('every question that is suggested is answered, from rows', () => {
  expect(suggested.length).toBeGreaterThan(30)
  expect(suggested.filter(({ sql }) => sql === null).map(({ question }) => question.ask)).toEqual([])
  for (const { shown, question } of suggested) expect(shown.length, question.ask).toBeGreaterThan(1)
})

test('what was understood of a question that is not answered stands in what is suggested', () => {
  const asked = (ask: string) => suggestionsIn(graded.find(({ question }) => question.ask === ask)?.text ?? '')
  expect(asked('median reply time').join()).toContain('average first reply time')
  expect(asked('profit by category').join()).toContain('product category')
})

test('a chart draws columns of the rows that are told of, the measure among them', () => {
  const drawn = graded.filter(each => each.drawn !== null)
  expect(drawn.length).toBeGreaterThan(100)
  for (const { drawn: fields, columns, question } of drawn) {
    expect(columns, question.ask).toEqual(expect.arrayContaining([...(fields ?? [])]))
    expect(fields?.length, question.ask).toBeGreaterThan(1)
  }
})

test('what cannot be answered is said, with questions that can', () => {
  // Some may be answered in one way or refused; what is said of the refusals is looked at here.
  const refused = graded.filter(({ question, grade, sql }) => question.cannot && grade === 'right' && sql === null)
  expect(refused.length).toBeGreaterThan(20)
  for (const { text, question } of refused) expect(suggestionsIn(text), question.ask).toHaveLength(3)
})

test('every number that is told stands in the answer, in the statement or in the question', () => {
  const numbers = (text: string) => (text.match(/\d[\d,]*(?:\.\d+)?/g) ?? []).map(each => each.replaceAll(',', ''))
  for (const { text, sql, question, shown } of graded) {
    if (sql === null) continue
    const known = new Set([...numbers(sql), ...numbers(question.ask), ...shown.flatMap(numbers)])
    for (const number of numbers(text)) expect([...known], `${question.ask}: ${text}`).toContain(number)
  }
})
