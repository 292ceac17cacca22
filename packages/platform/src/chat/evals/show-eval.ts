import { type Evaluation, EvaluationResult } from '@hedron/contract'
import type { evalRuns } from '@hedron/store'

interface Counts {
  readonly total: number
  readonly asked: number
  readonly passed: number
}

export const showRun = (
  run: evalRuns.EvalRunRow,
  environment: Evaluation['environment'],
  counts: Counts,
): Evaluation => ({
  id: run.id,
  deploymentId: run.deploymentId,
  branchName: run.branchName,
  agentName: run.agentName,
  questionFile: run.questionFile,
  environment,
  status: run.status,
  error: run.errorText,
  ...counts,
  accuracy: accuracyOf(counts),
  createdAt: run.createdAt.toISOString(),
  startedAt: run.startedAt?.toISOString() ?? null,
  finishedAt: run.finishedAt?.toISOString() ?? null,
})

/** `67% (2/3)`, as evaluations are spoken of (contract/behaviour/chat.md section 7). */
const accuracyOf = ({ passed, total }: Counts): string =>
  `${total === 0 ? 0 : Math.round((passed / total) * 100)}% (${passed}/${total})`

export const showResult = (row: evalRuns.EvalResultRow): EvaluationResult => ({
  questionName: row.name,
  questionTextSnapshot: row.question,
  verdict: row.verdict,
  score: row.verdict === 'pass' ? 1 : row.verdict === 'fail' ? 0 : null,
  scoreReason: EvaluationResult.shape.scoreReason.parse(row.reason),
  detail: row.detail,
  certifiedQuery: row.truth.certifiedQuery,
  groundTruthSql: row.truth.sql,
  agentSql: row.agentSql,
  answer: row.answer,
  finishedAt: row.finishedAt?.toISOString() ?? null,
})
