import { CodedError } from '@hedron/contract'
import type { evalRuns } from '@hedron/store'
import { DataError } from '../../queries/data-error.ts'
import { AgentError, type LookedUp } from '../agent.ts'
import { ToolError } from '../tools/tool-error.ts'
import { askQuestion, type QuestionContext } from './ask-question.ts'
import { compareResults } from './compare-results.ts'

export type Judgement = Omit<evalRuns.ResultValues, 'finishedAt'>

/** Rows of a result that are compared; beyond them the question has to ask for less. */
const mostRows = 10_000

/** One question may take so long, agent and both statements together, in milliseconds. */
export const questionTimeout = 5 * 60_000

const nothing: Judgement = {
  verdict: null,
  reason: null,
  detail: null,
  agentSql: null,
  truthSql: null,
  answer: null,
}

/**
 * Asks an agent a question and holds the rows of the last statement that it ran against those that are right, all with the rights of
 * who asked for the evaluation (contract/cli-admin.md 5.1; the reasons are the field's words).
 *
 * @throws the reason of the context's signal once that is aborted
 */
export async function judgeQuestion(
  { question, truth }: Pick<evalRuns.EvalResultRow, 'question' | 'truth'>,
  context: QuestionContext,
): Promise<Judgement> {
  const { signal } = context
  const truthSql = truth.sql
  if (truthSql === null) {
    const detail = `There is no certified query ${JSON.stringify(truth.certifiedQuery)} in the agent's space.`
    return { ...nothing, verdict: 'error', reason: 'Ground truth not found', detail }
  }
  const wanted = await run(truthSql, context)
  if (typeof wanted === 'string') {
    return { ...nothing, truthSql, verdict: 'error', reason: 'Ground truth query failed', detail: wanted }
  }
  const asked = await ask(question, context)
  if (typeof asked === 'string') {
    return { ...nothing, truthSql, verdict: 'error', reason: 'Agent error', detail: asked }
  }
  const known = { ...nothing, truthSql, answer: asked.text, agentSql: asked.sql }
  if (asked.sql === null) {
    if (asked.failure !== null) return { ...known, verdict: 'error', reason: 'Query error', detail: asked.failure }
    return {
      ...known,
      verdict: 'review',
      detail: 'The agent answered without a query, so there is nothing to compare.',
    }
  }
  signal.throwIfAborted()
  const given = await run(asked.sql, context)
  if (typeof given === 'string') return { ...known, verdict: 'error', reason: 'Query error', detail: given }
  if (!wanted.complete || !given.complete) {
    return { ...known, verdict: 'review', detail: `More than ${mostRows} rows are not compared.` }
  }
  const difference = compareResults(wanted, given)
  if (difference === null) return { ...known, verdict: 'pass' }
  if (difference === 'undecided') {
    return { ...known, verdict: 'review', detail: 'Too many columns hold the same values to tell which is which.' }
  }
  const detail = `${given.rows.length} rows and ${given.columns.length} columns, where ${wanted.rows.length} and ${wanted.columns.length} are right.`
  return { ...known, verdict: 'fail', reason: difference, detail }
}

/** Rows of a statement, or why there are none. */
async function run(
  sql: string,
  { tools, user, signal, requestId, timeZone }: QuestionContext,
): Promise<LookedUp | string> {
  try {
    return await tools.lookUp(user, sql, mostRows, { signal, requestId, timeZone })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof DataError || error instanceof ToolError || error instanceof CodedError) return error.message
    throw error
  }
}

async function ask(question: string, context: QuestionContext) {
  const limit = new AbortController()
  const pass = () => limit.abort(context.signal.reason)
  const timer = setTimeout(() => {
    limit.abort(new AgentError(`The agent gave no answer within ${questionTimeout / 60_000} minutes.`))
  }, questionTimeout)
  context.signal.addEventListener('abort', pass, { once: true })
  try {
    context.signal.throwIfAborted()
    return await askQuestion(question, { ...context, signal: limit.signal })
  } catch (error) {
    context.signal.throwIfAborted()
    if (error instanceof AgentError || error instanceof DataError || error instanceof CodedError) return error.message
    throw error
  } finally {
    clearTimeout(timer)
    context.signal.removeEventListener('abort', pass)
  }
}
