import { route } from '../route.ts'
import { DeploymentParams } from '../schemas/common.ts'
import * as schema from '../schemas/deployment-log.ts'
import { PageQuery } from '../schemas/page.ts'

export const logs = route({
  operationId: 'logs',
  method: 'get',
  path: '/api/v1/deployments/{deploymentId}/logs',
  summary: 'Tail recent runtime logs',
  description:
    'Builds, and requests to the data API as the node that answers has seen them, oldest first. Requests are kept in memory, the newest 1,000 of a deployment; their queries are not among what is kept.',
  tags: ['Deployments'],
  access: { permission: 'DeploymentRead' },
  params: DeploymentParams,
  query: schema.LogsQuery,
  response: schema.LogsResponse,
  errors: ['deployment_not_found', 'cursor_invalid'],
})

export const pods = route({
  operationId: 'pods',
  method: 'get',
  path: '/api/v1/deployments/{deploymentId}/pods',
  summary: "List a deployment's scheduled pods",
  description:
    'What writes into the log of the deployment, by the names that its lines carry: the builds, and the data API of the node that answers.',
  tags: ['Deployments'],
  access: { permission: 'DeploymentRead' },
  params: DeploymentParams,
  query: PageQuery,
  response: schema.PodsResponse,
  errors: ['deployment_not_found', 'cursor_invalid'],
})
