import * as z from 'zod'
import { route } from '../route.ts'
import { DeploymentParams, Id } from '../schemas/common.ts'
import * as schema from '../schemas/environment.ts'
import { OffsetQuery, PageQuery } from '../schemas/page.ts'

const EnvironmentParams = DeploymentParams.extend({ environmentId: Id })

export const getDeploymentEnvironments = route({
  operationId: 'getDeploymentEnvironments',
  method: 'get',
  path: '/api/v1/deployments/{deploymentId}/environments',
  summary: 'List deployment environments',
  description:
    'Production, the staging environments that are kept active, and the development environments of open dev-mode sessions.',
  tags: ['Environments'],
  access: { permission: 'DeploymentRead' },
  params: DeploymentParams,
  query: PageQuery.extend({ ...OffsetQuery.shape, type: schema.EnvironmentType.optional() }),
  response: schema.EnvironmentsListResponse,
  errors: ['deployment_not_found', 'cursor_invalid'],
})

export const getDeploymentEnvironmentTokens = route({
  operationId: 'getDeploymentEnvironmentTokens',
  method: 'get',
  path: '/api/v1/deployments/{deploymentId}/environments/{environmentId}/tokens',
  summary: 'List environment tokens',
  tags: ['Environments'],
  access: { permission: 'DeploymentUpdate' },
  params: EnvironmentParams,
  query: PageQuery.extend(OffsetQuery.shape),
  response: schema.EnvironmentTokensListResponse,
  errors: ['deployment_not_found', 'environment_not_found', 'cursor_invalid'],
})

export const createDeploymentEnvironmentToken = route({
  operationId: 'createDeploymentEnvironmentToken',
  method: 'post',
  path: '/api/v1/deployments/{deploymentId}/environments/{environmentId}/tokens',
  summary: 'Create an environment token',
  description:
    'The token is valid for the data API of this environment alone and carries the security context as given.',
  tags: ['Environments'],
  access: { permission: 'DeploymentUpdate' },
  params: EnvironmentParams,
  body: schema.CreateEnvironmentTokenInput,
  response: schema.EnvironmentTokenResponse,
  errors: ['deployment_not_found', 'environment_not_found'],
})

export const createDeploymentEnvironmentTokenForMetaSync = route({
  operationId: 'createDeploymentEnvironmentTokenForMetaSync',
  method: 'post',
  path: '/api/v1/deployments/{deploymentId}/environments/{environmentId}/tokens-for-meta-sync',
  summary: 'Create environment token for meta sync',
  description: 'As an environment token, limited to the scope meta.',
  tags: ['Environments'],
  access: { permission: 'DeploymentUpdate' },
  params: EnvironmentParams,
  body: schema.CreateEnvironmentTokenInput,
  response: schema.EnvironmentTokenResponse,
  errors: ['deployment_not_found', 'environment_not_found'],
})

export const getEnvVariables = route({
  operationId: 'getEnvVariables',
  method: 'get',
  path: '/api/v1/deployments/{deploymentId}/env-vars',
  summary: 'List environment variables',
  description: 'Values of names that contain PASS, SECRET, TOKEN, KEY or CREDENTIAL read as [ENCRYPTED].',
  tags: ['Env Variables'],
  access: { permission: 'DeploymentRead' },
  params: DeploymentParams,
  query: PageQuery,
  response: schema.EnvVariablesListResponse,
  errors: ['deployment_not_found', 'cursor_invalid'],
})

export const setEnvVariables = route({
  operationId: 'setEnvVariables',
  method: 'put',
  path: '/api/v1/deployments/{deploymentId}/env-vars',
  summary: 'Upsert environment variables',
  description: 'Variables that are not sent keep their values. [ENCRYPTED] is refused as a value.',
  tags: ['Env Variables'],
  access: { permission: 'DeploymentUpdate' },
  params: DeploymentParams,
  body: schema.SetEnvVariablesInput,
  response: schema.EnvVariablesListResponse,
  errors: ['deployment_not_found', 'variable_invalid'],
})

export const listRegions = route({
  operationId: 'listRegions',
  method: 'get',
  path: '/api/v1/regions',
  summary: 'List available regions',
  tags: ['Regions'],
  access: 'caller',
  query: PageQuery,
  response: schema.RegionsListResponse,
  errors: ['cursor_invalid'],
})

export const getSpec = route({
  operationId: 'getSpec',
  method: 'get',
  path: '/api/v1/spec',
  summary: 'Get the OpenAPI document',
  tags: ['OpenAPI Spec'],
  access: 'public',
  response: z.record(z.string(), z.unknown()),
  errors: [],
})
