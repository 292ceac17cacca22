import {
  type AnswerRows,
  analyse,
  changeOf,
  isSameRequest,
  localDay,
  namedIn,
  type Problem,
  type Question,
  questionsOfWhy,
  smallTalk,
  tell,
  tellParts,
  tellProblem,
  tellRows,
  towards,
  type Vocabulary,
  vegaSpec,
  vocabularyOf,
  writeStatement,
} from '@hedron/analyst'
import {
  type Agent,
  type AgentAnswer,
  type AgentSettings,
  type AgentTurn,
  type CertifiedQuery,
  noUsage,
} from './agent.ts'
import { readMemo } from './analyst-memo.ts'
import { askSql } from './analyst-sql.ts'
import { inKnownWords } from './memories/meanings.ts'

/** The longest part of a question that the model is searched for. */
const longestSearch = 500

/**
 * Answers where no language model is configured: a parser of questions over the asker's model, which knows each thing that it says from
 * a row that a tool gave, and says so where it does not understand.
 *
 * Of an agent's settings it takes the views that it is to prefer, those that its rules name, and certified queries that the same words
 * ask for. What else rules and skills say is for language models.
 */
export function createBuiltInAnalyst(): Agent {
  return {
    async answer(turn) {
      const { settings, now, timeZone } = turn
      const { question: input, notes: meanings } = inKnownWords(turn.input, (await turn.memories?.list()) ?? [])
      const model = await turn.visibleModel()
      const vocabulary = vocabularyOf(model)
      const preferred = preferredViews(settings, model.cubes)
      const talk = smallTalk(input, vocabulary, localDay(now, timeZone), preferred)
      if (talk !== null) return answered(turn, talk, turn.memo)
      turn.think('I look for what the question names in the data model.')
      await turn.callTool('serviceMeta', { searchQuery: input.slice(0, longestSearch) })
      const certified = settings.certifiedQueries.find(({ userRequest }) => isSameRequest(userRequest, input))
      if (certified) return answerCertified(turn, certified)
      const reading = await analyse(input, {
        model,
        now,
        timeZone,
        preferred,
        before: readMemo(turn.memo),
        lookUp: (sqlQuery, maxRows) => turn.lookUp(sqlQuery, maxRows),
      })
      if (!reading) {
        const message =
          model.cubes.length === 0
            ? 'There is nothing in the data model that you may see.'
            : 'The question is too long for me to read. Ask it in a sentence or two.'
        return answered(turn, message, turn.memo)
      }
      const { outcome, source, cover } = reading
      if (outcome.kind === 'problem') {
        const about = cover.spans.length > 0 ? source : null
        return answered(
          turn,
          explainProblem(turn, outcome.problem, { vocabulary, source: about, preferred, near: namedIn(reading) }),
          turn.memo,
        )
      }
      turn.think(`I ask ${source.name}.`)
      if (outcome.kind === 'why') return answerWhy(turn, vocabulary, outcome.question)
      const { question, notes } = outcome
      const rows = await ask(turn, vocabulary, question)
      if ('failure' in rows) return answered(turn, rows.failure, turn.memo)
      const covered = rows.totalRows === 0 || isWithoutValue(rows) ? await coveredPeriod(turn, question) : null
      return answered(turn, tell(question, vocabulary, rows, [...meanings, ...notes, ...(covered ? [covered] : [])]), {
        question,
      })
    },
  }
}

function answered(turn: AgentTurn, text: string, memo: unknown): AgentAnswer {
  turn.say(text)
  return { text, memo, usage: noUsage }
}

const explainProblem = (
  { now, timeZone }: AgentTurn,
  problem: Problem,
  needs: Omit<Parameters<typeof tellProblem>[1], 'today'>,
): string => tellProblem(problem, { ...needs, today: localDay(now, timeZone) })

/** Views that the agent's settings name. */
function preferredViews(
  { accessibleViews, rules }: AgentSettings,
  cubes: readonly { readonly name: string }[],
): readonly string[] | null {
  const words = new Set(rules.flatMap(({ type, prompt }) => (type === 'always' ? (prompt.match(/\w+/g) ?? []) : [])))
  const named = cubes.flatMap(({ name }) => (words.has(name) ? [name] : []))
  const preferred = [...(accessibleViews ?? []), ...named]
  return preferred.length > 0 ? preferred : null
}

/** Runs the statement of a question, with a chart of it where one fits. */
async function ask(
  turn: AgentTurn,
  vocabulary: Vocabulary,
  question: Question,
): Promise<AnswerRows | { readonly failure: string }> {
  const { sql, columns } = writeStatement(question, vocabulary)
  const title = turn.input.trim().slice(0, 200)
  const description = columns.map(column => column.title).join(', ')
  const answer = await askSql(turn, { sql, title, description, chart: vegaSpec(question, columns, title) })
  return 'failure' in answer ? answer : { ...answer, columns }
}

/** Why a number is as it is: beside the period before, and by the dimensions that tell its parts apart. */
async function answerWhy(turn: AgentTurn, vocabulary: Vocabulary, question: Question): Promise<AgentAnswer> {
  const [whole, ...parts] = questionsOfWhy(question, vocabulary)
  if (!whole) return answered(turn, 'I do not see what to explain.', turn.memo)
  const total = await ask(turn, vocabulary, whole)
  if ('failure' in total) return answered(turn, total.failure, turn.memo)
  const sentences = [tell(whole, vocabulary, total)]
  for (const part of parts) {
    const directed = towards(part, changeOf(total))
    const rows = await ask(turn, vocabulary, directed)
    const told = 'failure' in rows ? null : tellParts(directed, vocabulary, rows)
    if (told) sentences.push(told)
  }
  sentences.push('This says which parts moved with the number, not what caused it.')
  return answered(turn, sentences.join(' '), { question })
}

/** A query that the team has certified for this very question. */
async function answerCertified(turn: AgentTurn, { name, sqlQuery, description }: CertifiedQuery): Promise<AgentAnswer> {
  const answer = await askSql(turn, { sql: sqlQuery, title: name, description: description ?? name, chart: null })
  if ('failure' in answer) return answered(turn, answer.failure, turn.memo)
  return answered(turn, `${tellRows(answer)} I ran the certified query “${name}”.`, null)
}

const isWithoutValue = ({ rows, columns }: AnswerRows) =>
  rows.length === 1 &&
  columns.every(({ role }, index) => role !== 'measure' || rows[0]?.[index] === null || Number(rows[0]?.[index]) === 0)

/** Of which days there is data, where a period was asked for and nothing found. */
async function coveredPeriod(turn: AgentTurn, { time }: Question): Promise<string | null> {
  if (!time?.range) return null
  const [cube = '', column = ''] = time.dimension.split('.')
  const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
  const sql = `SELECT MIN(${quoted(column)}) AS "first", MAX(${quoted(column)}) AS "last" FROM ${quoted(cube)}`
  const answer = await askSql(turn, {
    sql,
    title: 'Days with data',
    description: 'First and last day with data',
    chart: null,
  })
  if ('failure' in answer) return null
  const [first, last] = answer.rows[0] ?? []
  if (typeof first !== 'string' || typeof last !== 'string') return null
  return `The data covers ${first.slice(0, 10)} to ${last.slice(0, 10)}: ask for a period within.`
}
