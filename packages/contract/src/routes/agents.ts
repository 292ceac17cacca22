import * as z from 'zod'
import { deploymentReaders, type Permission } from '../permissions.ts'
import { route } from '../route.ts'
import * as schema from '../schemas/agent.ts'
import { DeploymentParams, Id } from '../schemas/common.ts'
import { PageQuery } from '../schemas/page.ts'

const readers = [...deploymentReaders, 'DeploymentAgentRead', 'AgentRead'] as const satisfies readonly Permission[]

export const listAgents = route({
  operationId: 'listAgents',
  method: 'get',
  path: '/api/v1/deployments/{deploymentId}/agents',
  summary: 'List agents',
  description:
    'The agent auto, which every deployment has, and those that the files below agents/ of the deploy branch describe.',
  tags: ['Agents'],
  access: { permission: readers },
  params: DeploymentParams,
  query: PageQuery.extend({
    allowEmbedding: z.boolean().optional(),
  }),
  response: schema.AgentsListResponse,
  errors: ['deployment_not_found', 'cursor_invalid'],
})

export const updateAgent = route({
  operationId: 'updateAgent',
  method: 'patch',
  path: '/api/v1/deployments/{deploymentId}/agents/{agentId}',
  summary: 'Change a setting of an agent',
  description:
    'Whether embed sessions may ask it. What an agent is like stands in the files below agents/, and is changed there.',
  tags: ['Agents'],
  access: { permission: ['AgentManage', 'DeploymentUpdate'] },
  params: DeploymentParams.extend({ agentId: Id }),
  body: schema.UpdateAgentInput,
  response: schema.Agent,
  errors: ['deployment_not_found', 'agent_not_found'],
})

export const listAgentSkills = route({
  operationId: 'listAgentSkills',
  method: 'get',
  path: '/api/v1/deployments/{deploymentId}/agent-skills',
  summary: 'List skills of agents',
  description: 'Names, titles and descriptions; what a skill tells the agent stays in its file.',
  tags: ['Agents'],
  access: { permission: readers },
  params: DeploymentParams,
  query: PageQuery.extend({
    space: z.string().max(255).optional().meta({ description: 'Of this space alone.' }),
    branchName: z
      .string()
      .max(255)
      .optional()
      .meta({ description: 'Default, also where it is blank: the deploy branch.' }),
  }),
  response: schema.AgentSkillsListResponse,
  errors: ['deployment_not_found', 'branch_not_found', 'agent_space_not_found', 'agents_invalid', 'cursor_invalid'],
})
