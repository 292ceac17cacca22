import * as z from 'zod'
import { DeploymentParams, Id, Timestamp } from './common.ts'
import { listOf } from './page.ts'

export const EvaluationParams = DeploymentParams.extend({ evaluationId: Id })

export const StartEvaluationInput = z
  .strictObject({
    branchName: z
      .string()
      .min(1)
      .max(255)
      .meta({ description: 'The branch whose agents, questions and model are used.' }),
    agentName: z.string().min(1).max(255).optional().meta({ description: 'Default: auto.' }),
    questionFile: z.string().min(1).max(1024).optional().meta({
      description:
        'Questions of this file alone; its path below the folder of agents, such as eval_questions/revenue.yml.',
    }),
  })
  .meta({ id: 'StartEvaluationInput' })

export const Evaluation = z
  .object({
    id: Id,
    deploymentId: Id,
    branchName: z.string(),
    agentName: z.string(),
    questionFile: z.string().nullable(),
    environment: z.enum(['prod', 'staging', 'dev']),
    status: z.enum(['queued', 'running', 'completed', 'failed']).meta({
      description: 'completed and failed are the last. The results are all there before either is shown.',
    }),
    error: z.string().nullable().meta({ description: 'Why it failed as a whole.' }),
    total: z.int().min(0).meta({ description: 'Questions.' }),
    asked: z.int().min(0),
    passed: z.int().min(0),
    accuracy: z.string().meta({ description: 'As in 67% (2/3).' }),
    createdAt: Timestamp,
    startedAt: Timestamp.nullable(),
    finishedAt: Timestamp.nullable(),
  })
  .meta({ id: 'Evaluation' })
export type Evaluation = z.infer<typeof Evaluation>

export const EvaluationResult = z
  .object({
    questionName: z.string(),
    questionTextSnapshot: z.string(),
    verdict: z.enum(['pass', 'fail', 'review', 'error']).nullable().meta({ description: 'Null: not asked yet.' }),
    score: z.number().nullable().meta({ description: '1: right; 0: not; null: nothing could be compared.' }),
    scoreReason: z
      .enum([
        'Row count mismatch',
        'Missing columns',
        'Value mismatch',
        'Unexpected rows',
        'Query error',
        'Ground truth query failed',
        'Ground truth not found',
        'Agent error',
      ])
      .nullable(),
    detail: z.string().nullable().meta({ description: 'More about the reason.' }),
    certifiedQuery: z.string().nullable().meta({ description: 'Name of the query that tells what is right.' }),
    groundTruthSql: z.string().nullable(),
    agentSql: z.string().nullable().meta({ description: 'The last statement that gave the agent rows.' }),
    answer: z.string().nullable(),
    finishedAt: Timestamp.nullable(),
  })
  .meta({ id: 'EvaluationResult' })
export type EvaluationResult = z.infer<typeof EvaluationResult>

export const EvaluationResultsResponse = listOf(EvaluationResult).meta({ id: 'EvaluationResultsResponse' })
