import { route } from '../route.ts'
import { DeploymentParams } from '../schemas/common.ts'
import * as data from '../schemas/data-model.ts'
import * as schema from '../schemas/plan.ts'
import { finishUpload } from './uploads.ts'

export const planUpload = route({
  operationId: 'planUpload',
  method: 'post',
  path: '/build/api/v1/deployments/{deploymentId}/data-model/upload/plan',
  summary: 'Show what finishing an upload would change',
  description: 'Takes what finishing takes and changes no branch; the transaction stays open.',
  tags: ['Data Model Uploads'],
  access: { permission: ['SchemaUpdate', 'SchemaUpdateDevBranches'] },
  params: DeploymentParams,
  query: finishUpload.query,
  body: data.FinishUploadBody,
  response: schema.ModelPlan,
  errors: finishUpload.errors,
})

export const planMergeToDefault = route({
  operationId: 'planMergeToDefault',
  method: 'post',
  path: '/build/api/v1/deployments/{deploymentId}/merge-to-default/plan',
  summary: 'Show what a merge into the deploy branch would change',
  description: 'Takes what the merge takes and changes no branch.',
  tags: ['Data Model'],
  access: { permission: 'SchemaUpdate' },
  params: DeploymentParams,
  body: data.MergeToDefaultBranchRequest,
  bodyOptional: true,
  response: schema.ModelPlan,
  errors: [
    'deployment_not_found',
    'branch_not_found',
    'branch_mismatch',
    'branch_not_yours',
    'dev_mode_inactive',
    'branch_is_deploy_branch',
    'merge_conflict',
  ],
})
