import { agents, type Store } from '@hedron/store'
import * as z from 'zod'
import type { McpSessions } from '../mcp-session.ts'
import { type McpTool, mcpTool } from '../mcp-tool.ts'

/** Deployments that are listed at most. */
const most = 500

export const listDeploymentsTool = (store: Store, sessions: McpSessions): McpTool =>
  mcpTool({
    name: 'listDeployments',
    title: 'List deployments',
    description:
      'Lists the deployments that can be asked, each with its agents. Call it first when several may be meant, and pass deploymentId to the other tools; ids are never invented.',
    input: z.strictObject({}),
    async call(session) {
      const { caller } = session
      const rows = await sessions.available(caller, most + 1)
      const shown = rows.slice(0, most)
      const usual = session.deploymentId ?? shown[0]?.id
      const ids = shown.map(({ id }) => id)
      const all = await agents.listAgents(store.kysely, caller.accountId, ids)
      const deployments = shown.map(({ id, name }) => ({
        deploymentId: id,
        name,
        isDefault: id === usual,
        agents: all
          .filter(agent => agent.deploymentId === id && agent.isConfigured)
          .map(agent => ({ agentId: agent.id, name: agent.name })),
      }))
      return { deployments, hasMore: rows.length > shown.length }
    },
  })
