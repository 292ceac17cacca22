import * as z from 'zod'
import { Id } from './common.ts'
import { listOf } from './page.ts'

export const AgentSpace = z
  .object({ name: z.string(), title: z.string().nullable() })
  .meta({ id: 'AgentSpace', description: 'What an agent shares with others: rules, certified queries and skills.' })

export const Agent = z
  .object({
    id: Id,
    deploymentId: Id,
    name: z.string().meta({ description: 'Its title, or its name where it has none.' }),
    description: z.string().nullable(),
    agentConfigName: z.string().meta({ description: 'Its name in the files of the deploy branch.' }),
    agentSpace: AgentSpace,
    isDefault: z.boolean().meta({ description: 'The agent that is used when none is selected.' }),
    isMisconfigured: z.boolean().meta({ description: 'The files do not name it any more. It answers no message.' }),
    configError: z.string().nullable().meta({
      description:
        'What is wrong with the files of agents as they are on the deploy branch. Agents go on as the last files without a problem say.',
    }),
    allowEmbedding: z.boolean().meta({ description: 'Whether embed sessions may ask it. They are shown no others.' }),
    chatUrl: z.string().meta({ description: 'POST a message there.' }),
    mcpUrl: z.string().meta({ description: 'For assistants that speak the Model Context Protocol.' }),
  })
  .meta({ id: 'Agent' })
export type Agent = z.infer<typeof Agent>

export const UpdateAgentInput = z.strictObject({ allowEmbedding: z.boolean() }).meta({ id: 'UpdateAgentInput' })

export const AgentsListResponse = listOf(Agent).meta({ id: 'AgentsListResponse' })

export const AgentSkill = z
  .object({
    name: z.string().meta({ description: 'A message that begins with a slash and this name asks for it.' }),
    title: z.string(),
    description: z.string(),
    space: z.string(),
  })
  .meta({ id: 'AgentSkill' })
export type AgentSkill = z.infer<typeof AgentSkill>

export const AgentSkillsListResponse = listOf(AgentSkill).meta({ id: 'AgentSkillsListResponse' })
