import { route } from '../route.ts'
import { DeploymentParams } from '../schemas/common.ts'
import * as schema from '../schemas/deployment-log.ts'

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
