import type { Evaluation } from '@hedron/contract'
import type { Context } from '../../framework/command.ts'
import { Failure } from '../../framework/failure.ts'
import { fieldOf } from '../../framework/json.ts'
import { reportOf } from '../../framework/report.ts'
import { column } from '../../framework/table.ts'
import { oneReason } from '../../framework/text.ts'
import { waitFor } from '../../framework/wait.ts'

interface GradeInput {
  readonly deploymentId: number
  readonly id: number
  /** Milliseconds. */
  readonly timeout: number | undefined
  readonly poll: number | undefined
}

const usualTimeout = 30 * 60_000
const usualPoll = 5_000
/** How long the results of a run that has ended are asked for, in milliseconds. */
const leastForResults = 5_000
const mostForResults = 30_000

export const resultColumns = [
  column('VERDICT', 'verdict'),
  column('QUESTION', 'questionTextSnapshot'),
  column('SCORE', 'score'),
  column('REASON', 'scoreReason'),
]

/**
 * Waits for a run to end, prints its results and fails unless every question passed (contract/cli-admin.md 5.1). What may not be
 * all of its results is never graded.
 *
 * @throws {Failure} `wait_timed_out`, `eval_unverified`, `eval_failed`
 */
export async function waitAndGrade(context: Context, { deploymentId, id, timeout, poll }: GradeInput): Promise<void> {
  const { effects, output } = context
  const { client } = await context.session()
  const limit = timeout ?? usualTimeout
  const start = effects.now()
  const params = { deploymentId, evaluationId: id }
  const wait = { what: 'eval run', timeout: limit, interval: poll ?? usualPoll }
  const run = await waitFor(effects, output, wait, async signal => {
    const status = await client.getEvaluation({ params }, signal)
    const label = labelOf(status)
    return label === 'completed' || label === 'failed'
      ? { done: status }
      : { waiting: label === '' ? 'waiting' : label }
  })
  const rest = Math.min(Math.max(limit - (effects.now() - start), leastForResults), mostForResults)
  const results = await readResults(context, params, rest, Math.min(poll ?? usualPoll, leastForResults))
  const rows = completeRows(results, { deploymentId, id })
  const passed = rows.filter(row => String(fieldOf(row, 'verdict')).toLowerCase() === 'pass').length
  output.result({ evalRun: run, results }, () => {
    output.line(`Eval run ${id}: ${passed}/${rows.length} passed`)
    output.table(resultColumns, rows)
  })
  const score = `(${passed}/${rows.length} questions passed)`
  if (labelOf(run) === 'failed') {
    const reason = run.error ? `: ${oneReason(run.error)}` : ''
    throw new Failure('eval_failed', { message: `eval run ${id} failed ${score}${reason}` })
  }
  if (rows.length === 0) {
    throw new Failure('eval_failed', { message: `eval run ${id} completed without any question results` })
  }
  if (passed < rows.length) throw new Failure('eval_failed', { message: `eval run ${id} did not pass ${score}` })
}

const labelOf = ({ status }: Pick<Evaluation, 'status'>): string => String(status).trim().toLowerCase()

async function readResults(
  { effects, output, session }: Context,
  params: { readonly deploymentId: number; readonly evaluationId: number },
  timeout: number,
  interval: number,
): Promise<unknown> {
  const { client } = await session()
  try {
    return await waitFor(effects, output, { what: 'eval results', timeout, interval }, async signal => ({
      done: await client.getEvaluationResults({ params }, signal),
    }))
  } catch (error) {
    const { deploymentId, evaluationId: id } = params
    const reason = `failed to fetch results for eval run ${id}: ${reportOf(error).line}`
    throw unverified({ deploymentId, id }, reason, error)
  }
}

interface RunKey {
  readonly deploymentId: number
  readonly id: number
}

/** All results of a run. @throws {Failure} `eval_unverified` for what may be a part of them */
function completeRows(results: unknown, run: RunKey): readonly unknown[] {
  const items = fieldOf(results, 'items')
  const hasNextPage = fieldOf(results, 'pageInfo.hasNextPage')
  const refuse = (what: string) => unverified(run, `eval run ${run.id} returned ${what}`)
  if (!Array.isArray(items)) throw refuse('a malformed results page; refusing to grade it')
  if (hasNextPage === undefined || hasNextPage === null) {
    throw refuse('results without pageInfo.hasNextPage; refusing to grade because completeness is unknown')
  }
  if (typeof hasNextPage !== 'boolean') throw refuse('a non-boolean pageInfo.hasNextPage; refusing to grade it')
  if (hasNextPage) throw refuse('an incomplete results page; refusing to grade it')
  return items
}

function unverified({ deploymentId, id }: RunKey, reason: string, cause?: unknown): Failure {
  const advice = `could not verify eval run ${id}; inspect available results with \`hedron evals results ${deploymentId} ${id}\``
  return new Failure('eval_unverified', { message: `${advice}: ${reason}` }, cause)
}
