import {
  analyse,
  namedIn,
  type Question,
  questionsOfWhy,
  tell,
  tellProblem,
  vegaSpec,
  vocabularyOf,
  writeStatement,
} from '../../src/index.ts'
import { textOf } from '../../src/tell/answer-rows.ts'
import { describeRange } from '../../src/times/calendar.ts'
import type { Engine } from './engine.ts'
import type { Suite, SuiteQuestion } from './questions.ts'
import { holdsRows } from './same-rows.ts'

/** How the analyst did with a question. */
export interface Graded {
  readonly question: SuiteQuestion
  /** `unclear`: it asked back or refused where there is an answer. */
  readonly grade: 'right' | 'unclear' | 'wrong'
  /** What it said, and the statement it ran. */
  readonly text: string
  readonly sql: string | null
  /** The cells of the answer as they are told, and how many rows it has. */
  readonly shown: readonly string[]
  /** Columns of the rows, and those that the chart draws; null: it has none. */
  readonly columns: readonly string[]
  readonly drawn: readonly string[] | null
}

/** Asks all questions of a suite and compares the answers with what is right. */
export async function askSuite(suite: Suite, engine: Engine): Promise<Graded[]> {
  const graded: Graded[] = []
  let before: Question | null = null
  for (const question of suite.questions) {
    const [result, next]: readonly [Graded, Question | null] = await askOne(
      suite,
      engine,
      question,
      question.follows ? before : null,
    )
    graded.push(result)
    before = next
  }
  return graded
}

async function askOne(
  suite: Suite,
  engine: Engine,
  question: SuiteQuestion,
  before: Question | null,
): Promise<readonly [Graded, Question | null]> {
  const vocabulary = vocabularyOf(engine.model)
  const reading = await analyse(question.ask, {
    model: engine.model,
    now: suite.now,
    timeZone: 'UTC',
    preferred: null,
    before,
    async lookUp(sqlQuery, maxRows) {
      const { columns, rows } = await engine.runSql(sqlQuery)
      return { columns, rows: rows.slice(0, maxRows), complete: rows.length <= maxRows }
    },
  })
  const isWhy = reading?.outcome.kind === 'why'
  const [whole] = reading?.outcome.kind === 'why' ? questionsOfWhy(reading.outcome.question, vocabulary) : []
  const outcome = whole ? { kind: 'question' as const, question: whole, notes: [] } : reading?.outcome
  if (outcome?.kind !== 'question') {
    const problem = outcome?.kind === 'problem' ? outcome.problem : null
    const today = suite.now.toISOString().slice(0, 10)
    const near = reading ? namedIn(reading) : []
    const needs = { vocabulary, source: reading?.source ?? null, today, preferred: null, near }
    const text = problem ? tellProblem(problem, needs) : 'not understood'
    return [
      { question, grade: question.cannot ? 'right' : 'unclear', text, sql: null, shown: [], columns: [], drawn: null },
      before,
    ]
  }
  const { question: asked, notes } = outcome
  const statement = writeStatement(asked, vocabulary)
  const { rows } = await engine.runSql(statement.sql).catch((error: unknown) => {
    throw new Error(`${question.ask}: ${statement.sql}`, { cause: error })
  })
  const answer = { columns: statement.columns, rows: rows.slice(0, 100), totalRows: rows.length }
  const cells = answer.rows.flatMap(row =>
    row.flatMap((value, index) => {
      const column = statement.columns[index]
      return column ? [textOf(value, column)] : []
    }),
  )
  const shown = [...cells, ...describedDays(asked), String(rows.length)]
  const text = tell(asked, vocabulary, answer, notes)
  const chart = vegaSpec(asked, statement.columns, question.ask)
  const isDrawn =
    question.chart === undefined ||
    (question.chart === 'table' ? chart === null : asked.chart === question.chart && chart !== null)
  const columns = statement.columns.map(({ name }) => name)
  const hasAnswer = question.query !== undefined || question.sql !== undefined
  const isRight = hasAnswer && isDrawn && isWhy === (question.why ?? false) && (await isSame(engine, question, rows))
  return [
    {
      question,
      grade: isRight ? 'right' : 'wrong',
      text,
      sql: statement.sql,
      shown,
      columns,
      drawn: chart && fieldsOf(chart),
    },
    asked,
  ]
}

/** Names of the columns that a chart draws, without what it makes of them. */
function fieldsOf(spec: unknown): string[] {
  const made = new Set(['measure', 'value', 'compared_period', 'compared_value'])
  const found = new Set<string>()
  const look = (node: unknown): void => {
    if (Array.isArray(node)) for (const each of node) look(each)
    else if (typeof node === 'object' && node !== null) {
      for (const [key, value] of Object.entries(node)) {
        if (key === 'field' && typeof value === 'string') found.add(value.replaceAll('\\', ''))
        else if (key === 'fold' && Array.isArray(value)) for (const each of value) found.add(String(each))
        else look(value)
      }
    }
  }
  look(spec)
  return [...found].filter(name => !made.has(name) || !JSON.stringify(spec).includes('"fold"'))
}

async function isSame(
  engine: Engine,
  { query, sql }: SuiteQuestion,
  rows: readonly (readonly unknown[])[],
): Promise<boolean> {
  if (sql !== undefined) return holdsRows((await engine.runSql(sql)).rows, rows)
  const answers = await engine.runQuery(query)
  return answers.every(right => holdsRows(right, rows, answers.length > 1))
}

/** The days of the periods that were asked about, as they are told. */
const describedDays = ({ time, compare }: Question): string[] =>
  [time?.range, compare].flatMap(range => (range ? [describeRange(range)] : []))
