import {
  type AnswerRows,
  analyse,
  localDay,
  type Question,
  type Statement,
  tell,
  tellProblem,
  vegaSpec,
  vocabularyOf,
  writeStatement,
} from '@hedron/analyst'
import * as z from 'zod'
import { type Agent, type AgentAnswer, AgentError, type AgentSettings, type AgentTurn, noUsage } from './agent.ts'
import { readMemo } from './analyst-memo.ts'

/** What `serviceSqlApi` gives (SPEC, "Tool calls"), in the parts that are told of. */
const Result = z.object({
  schema: z.array(z.object({ name: z.string() })),
  data: z.array(z.array(z.unknown())),
  totalRows: z.number(),
})

/** The longest part of a question that the model is searched for. */
const longestSearch = 500

/**
 * Answers where no language model is configured: a parser of questions over the asker's model, which knows each thing that it says from
 * a row that a tool gave, and says so where it does not understand.
 */
export function createBuiltInAnalyst(): Agent {
  return {
    async answer(turn) {
      const { input, settings, now, timeZone } = turn
      const model = await turn.visibleModel()
      const vocabulary = vocabularyOf(model)
      turn.think('I look for what the question names in the data model.')
      await turn.callTool('serviceMeta', { searchQuery: input.slice(0, longestSearch) })
      const preferred = preferredViews(settings, model.cubes)
      const reading = await analyse(input, {
        model,
        now,
        timeZone,
        preferred,
        before: readMemo(turn.memo),
        lookUp: (sqlQuery, maxRows) => turn.lookUp(sqlQuery, maxRows),
      })
      const today = localDay(now, timeZone)
      if (!reading) {
        const message =
          model.cubes.length === 0
            ? 'There is nothing in the data model that you may see.'
            : 'The question is too long for me to read. Ask it in a sentence or two.'
        return answered(turn, message, turn.memo)
      }
      const { outcome, source } = reading
      if (outcome.kind !== 'question') {
        const problem =
          outcome.kind === 'problem'
            ? outcome.problem
            : ({ kind: 'impossible', message: 'Ask for a number first, and then why it is so.' } as const)
        const about = reading.cover.spans.length > 0 ? source : null
        return answered(turn, tellProblem(problem, { vocabulary, source: about, today, preferred }), turn.memo)
      }
      const { question, notes } = outcome
      const statement = writeStatement(question, vocabulary)
      turn.think(`I ask ${source.name}.`)
      const rows = await ask(turn, question, statement)
      return answered(turn, tell(question, vocabulary, rows, notes), { question })
    },
  }
}

function answered(turn: AgentTurn, text: string, memo: unknown): AgentAnswer {
  turn.say(text)
  return { text, memo, usage: noUsage }
}

/** Views that the agent's settings name. */
function preferredViews(
  { accessibleViews, rules }: AgentSettings,
  cubes: readonly { readonly name: string }[],
): readonly string[] | null {
  const prompts = rules.flatMap(({ type, prompt }) => (type === 'always' ? [prompt] : []))
  const named = cubes.flatMap(({ name }) => (prompts.some(prompt => wordsIn(prompt).has(name)) ? [name] : []))
  const preferred = [...(accessibleViews ?? []), ...named]
  return preferred.length > 0 ? preferred : null
}

const wordsIn = (text: string): ReadonlySet<string> => new Set(text.match(/\w+/g) ?? [])

/** Runs a statement, with a chart of it where one fits. */
async function ask(turn: AgentTurn, question: Question, { sql, columns }: Statement): Promise<AnswerRows> {
  const title = turn.input.trim().slice(0, 200)
  const chart = vegaSpec(question, columns, title)
  const outcome = await turn.callTool('serviceSqlApi', {
    sqlQuery: sql,
    queryTitle: title,
    description: columns.map(column => column.title).join(', '),
    userRequest: turn.input,
    ...(chart ? { vegaSpec: JSON.stringify(chart) } : {}),
  })
  if (outcome.failed) throw new AgentError(`The query could not be answered: ${errorIn(outcome.result)}`)
  const { data, totalRows } = Result.parse(JSON.parse(outcome.result))
  return { columns, rows: data, totalRows }
}

function errorIn(result: string): string {
  const { success, data } = z.object({ error: z.string() }).safeParse(JSON.parse(result))
  return success ? data.error : 'the reason is not known'
}
