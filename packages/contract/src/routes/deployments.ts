import * as z from 'zod'
import { deploymentReaders } from '../permissions.ts'
import { route } from '../route.ts'
import { DeploymentParams } from '../schemas/common.ts'
import * as schema from '../schemas/deployment.ts'
import { OffsetQuery, PageQuery } from '../schemas/page.ts'

const tags = ['Deployments'] as const

export const getDeployments = route({
  operationId: 'getDeployments',
  method: 'get',
  path: '/api/v1/deployments',
  summary: 'List deployments',
  tags,
  access: 'caller',
  query: PageQuery.extend({
    ...OffsetQuery.shape,
    creationStep: z.array(schema.CreationStep).optional().meta({ description: 'Keep those at one of these steps.' }),
  }),
  response: schema.DeploymentsListResponse,
  errors: ['cursor_invalid'],
})

export const createDeployment = route({
  operationId: 'createDeployment',
  method: 'post',
  path: '/build/api/v1/deployments',
  summary: 'Create deployment and trigger first build',
  description: 'Scaffolds a starter project, unless creationMethod is github, and builds it.',
  tags: ['Deployment Creation'],
  access: { permission: ['DeploymentCreate', 'DeploymentsManage'] },
  body: schema.CreateDeploymentInput,
  response: schema.Deployment,
  errors: ['name_taken', 'region_unknown'],
})

export const getDeployment = route({
  operationId: 'getDeployment',
  method: 'get',
  path: '/api/v1/deployments/{deploymentId}',
  summary: 'Read one deployment',
  tags,
  access: { permission: deploymentReaders },
  params: DeploymentParams,
  response: schema.Deployment,
  errors: ['deployment_not_found'],
})

export const updateDeployment = route({
  operationId: 'updateDeployment',
  method: 'put',
  path: '/api/v1/deployments/{deploymentId}',
  summary: 'Change deployment settings',
  description:
    'Fields that are not sent stay as they are; templateVariables is merged key by key. A releaseChannelVersion must be one that …/versions lists; one that is not the newest of its channel also sets releaseChannelVersionHold, unless that is sent.',
  tags,
  access: { permission: 'DeploymentUpdate' },
  params: DeploymentParams,
  body: schema.UpdateDeploymentInput,
  bodyOptional: true,
  response: schema.DeploymentSettings,
  errors: ['deployment_not_found', 'name_taken', 'version_unknown', 'region_unknown', 'branch_not_found'],
})

export const deleteDeployment = route({
  operationId: 'deleteDeployment',
  method: 'delete',
  path: '/api/v1/deployments/{deploymentId}',
  summary: 'Remove a deployment',
  description: 'Removes its branches, files, builds, variables and tokens, for good.',
  tags,
  access: { permission: ['DeploymentDelete', 'DeploymentsManage'] },
  params: DeploymentParams,
  response: schema.DeploymentDeleteResponse,
  errors: ['deployment_not_found'],
})

export const getDeploymentSettings = route({
  operationId: 'getDeploymentSettings',
  method: 'get',
  path: '/api/v1/deployments/{deploymentId}/settings',
  summary: 'Read all deployment settings',
  tags,
  access: { permission: 'DeploymentRead' },
  params: DeploymentParams,
  response: schema.DeploymentSettings,
  errors: ['deployment_not_found'],
})

export const listDeploymentVersions = route({
  operationId: 'listDeploymentVersions',
  method: 'get',
  path: '/api/v1/deployments/{deploymentId}/versions',
  summary: 'List selectable versions',
  tags,
  access: { permission: 'DeploymentRead' },
  params: DeploymentParams,
  query: PageQuery,
  response: schema.DeploymentVersionsResponse,
  errors: ['deployment_not_found', 'cursor_invalid'],
})

export const deploymentToken = route({
  operationId: 'deploymentToken',
  method: 'post',
  path: '/api/v1/deployments/{deploymentId}/token',
  summary: 'Issue a deployment token',
  description: 'A token for the data API of the deployment, with the rights of the caller.',
  tags,
  access: { permission: deploymentReaders },
  params: DeploymentParams,
  body: schema.CreateDeploymentTokenInput,
  bodyOptional: true,
  response: schema.DeploymentTokenResponse,
  errors: ['deployment_not_found'],
})

export const buildStatus = route({
  operationId: 'buildStatus',
  method: 'get',
  path: '/api/v1/deployments/{deploymentId}/build-status',
  summary: 'Newest build status of a branch',
  description: "Without branchName: the caller's open dev-mode branch, else the deploy branch.",
  tags,
  access: { permission: 'DeploymentRead' },
  params: DeploymentParams,
  query: z.strictObject({ branchName: z.string().optional() }),
  response: schema.BuildStatusResponse,
  errors: ['deployment_not_found', 'branch_not_found'],
})

export const advanceCreationStep = route({
  operationId: 'advanceCreationStep',
  method: 'post',
  path: '/api/v1/deployments/{deploymentId}/creation-step/advance',
  summary: 'Move deployment to an onboarding step',
  tags,
  access: { permission: 'DeploymentUpdate' },
  params: DeploymentParams,
  body: schema.AdvanceCreationStepInput,
  response: schema.Deployment,
  errors: ['deployment_not_found'],
})

export const resetCreationStep = route({
  operationId: 'resetCreationStep',
  method: 'post',
  path: '/api/v1/deployments/{deploymentId}/creation-step/reset',
  summary: 'Return deployment to first onboarding step',
  tags,
  access: { permission: 'DeploymentUpdate' },
  params: DeploymentParams,
  response: schema.Deployment,
  errors: ['deployment_not_found'],
})
