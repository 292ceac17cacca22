import { CodedError } from '@hedron/contract'
import { agents, type Store } from '@hedron/store'
import type { AgentSettings } from '../agent.ts'
import { agentSettings } from './agent-settings.ts'
import type { FindBranchAgents } from './branch-agents.ts'

/** An agent by its number, or the Auto agent of a deployment. */
export type AgentKey = { readonly agentId: number } | { readonly deploymentId: number }

export interface FoundAgent {
  readonly deploymentId: number
  readonly agentId: number
  readonly settings: AgentSettings
  /** Whether embed sessions may ask it. */
  readonly allowEmbedding: boolean
}

/**
 * The agent that a chat is with, as the files of the branch describe it.
 *
 * @param branchName null: the deploy branch
 * @returns undefined where the account has no such agent or deployment
 * @throws {CodedError} `branch_not_found`; `agent_not_configured` where the branch's files do not name the agent; `agents_invalid`
 *   for a dev branch whose files have a problem
 */
export type FindAgent = (accountId: number, key: AgentKey, branchName: string | null) => Promise<FoundAgent | undefined>

interface FindAgentNeed {
  readonly store: Store
  readonly findBranchAgents: FindBranchAgents
}

export function createFindAgent({ store, findBranchAgents }: FindAgentNeed): FindAgent {
  return async (accountId, key, branchName) => {
    const wanted = 'agentId' in key ? { id: key.agentId } : { ...key, name: agents.autoAgentName }
    const record = await agents.findAgent(store.kysely, accountId, wanted)
    if (!record) return undefined
    const found = await findBranchAgents(accountId, record.deploymentId, branchName)
    if (!found) {
      // Without a branch's name it is the deployment that is gone.
      if (branchName === null) return undefined
      throw new CodedError('branch_not_found', { branch: branchName })
    }
    const settings = agentSettings(found.config, record.name)
    const { deploymentId, id: agentId, allowEmbedding } = record
    if (settings) return { deploymentId, agentId, settings, allowEmbedding }
    throw new CodedError('agent_not_configured', { agent: record.name, branch: found.branchName })
  }
}
