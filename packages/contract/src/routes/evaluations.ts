import { route } from '../route.ts'
import { DeploymentParams } from '../schemas/common.ts'
import * as schema from '../schemas/evaluation.ts'
import { PageQuery } from '../schemas/page.ts'

export const startEvaluation = route({
  operationId: 'startEvaluation',
  method: 'post',
  path: '/api/v1/deployments/{deploymentId}/evaluations',
  summary: 'Start an evaluation of an agent',
  description:
    'Asks the agent each question of its space with the rights of the caller, in the background, and holds the rows of its last query against those that are right. One evaluation of an agent on a branch runs at a time; others wait.',
  tags: ['Evaluations'],
  access: { permission: ['SchemaUpdate', 'SchemaUpdateDevBranches', 'AgentManage'] },
  params: DeploymentParams,
  body: schema.StartEvaluationInput,
  response: schema.Evaluation,
  errors: [
    'deployment_not_found',
    'branch_not_found',
    'branch_not_yours',
    'agent_not_configured',
    'agents_invalid',
    'eval_questions_missing',
    'eval_too_many',
  ],
})

export const getEvaluation = route({
  operationId: 'getEvaluation',
  method: 'get',
  path: '/api/v1/deployments/{deploymentId}/evaluations/{evaluationId}',
  summary: 'Read the state of an evaluation',
  tags: ['Evaluations'],
  access: { permission: 'SchemaRead' },
  params: schema.EvaluationParams,
  response: schema.Evaluation,
  errors: ['deployment_not_found', 'evaluation_not_found'],
})

export const getEvaluationResults = route({
  operationId: 'getEvaluationResults',
  method: 'get',
  path: '/api/v1/deployments/{deploymentId}/evaluations/{evaluationId}/results',
  summary: 'Read the results of an evaluation',
  description: 'All of them where first is left out.',
  tags: ['Evaluations'],
  access: { permission: 'SchemaRead' },
  params: schema.EvaluationParams,
  query: PageQuery,
  response: schema.EvaluationResultsResponse,
  errors: ['deployment_not_found', 'evaluation_not_found', 'cursor_invalid'],
})
