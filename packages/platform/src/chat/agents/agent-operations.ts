import { type Agent, type AgentSkill, CodedError, deploymentReaders, type Permission } from '@hedron/contract'
import type { AgentsConfig } from '@hedron/semantic'
import { accounts, agents, type Store } from '@hedron/store'
import type { Audit } from '../../audit.ts'
import { findNamedBranch } from '../../branches/resolve-branch.ts'
import type { FindDeployment } from '../../deployments/find-deployment.ts'
import type { Effects } from '../../effects.ts'
import type { Operations } from '../../operations.ts'
import { pageOf } from '../../page.ts'
import { agentUrl, mcpUrl } from './agent-urls.ts'
import type { BranchAgents, FindBranchAgents } from './branch-agents.ts'

interface AgentOperationsNeed {
  readonly store: Store
  readonly effects: Effects
  readonly audit: Audit
  readonly findDeployment: FindDeployment
  readonly findBranchAgents: FindBranchAgents
  readonly baseUrl: () => string
}

type AgentOperations = Pick<Operations, 'listAgents' | 'listAgentSkills' | 'updateAgent'>

const readers = [...deploymentReaders, 'DeploymentAgentRead', 'AgentRead'] as const satisfies readonly Permission[]
const writers = ['AgentManage', 'DeploymentUpdate'] as const satisfies readonly Permission[]

export function createAgentOperations(need: AgentOperationsNeed): AgentOperations {
  const { store, findDeployment } = need

  return {
    async listAgents(caller, { params, query }) {
      const { id, accountId } = await findDeployment(caller, params.deploymentId, readers)
      const found = await agentsOf(accountId, id, null)
      const account = (await accounts.findAccountName(store.kysely, accountId)) ?? ''
      const all = found.records.map(record => showAgent(record, found, { baseUrl: need.baseUrl(), account }))
      const wanted = query.allowEmbedding
      const shown = all.filter(
        ({ allowEmbedding }) =>
          (wanted ?? allowEmbedding) === allowEmbedding && (allowEmbedding || caller.embed === null),
      )
      return pageOf('agents', query, shown, agent => String(agent.id).padStart(16, '0'))
    },

    async updateAgent(caller, { params, body }, context) {
      const { id: deploymentId, accountId } = await findDeployment(caller, params.deploymentId, writers)
      const { allowEmbedding } = body
      const record = await store.transaction(async transaction => {
        const key = { accountId, deploymentId, id: params.agentId }
        const updated = await agents.updateAgent(transaction, key, { allowEmbedding, updatedAt: need.effects.now() })
        if (!updated) throw new CodedError('agent_not_found', { agent: params.agentId })
        await need.audit(transaction, caller, context, 'agent.update', `agent ${updated.id}`, { allowEmbedding })
        return updated
      })
      const account = (await accounts.findAccountName(store.kysely, accountId)) ?? ''
      return showAgent(record, await agentsOf(accountId, deploymentId, null), { baseUrl: need.baseUrl(), account })
    },

    async listAgentSkills(caller, { params, query }) {
      const { id, accountId } = await findDeployment(caller, params.deploymentId, readers)
      const branch = await findNamedBranch(store.kysely, { accountId, deploymentId: id }, query)
      const { config } = await agentsOf(accountId, id, branch?.name ?? null)
      return pageOf('agent-skills', query, skillsOf(config, query.space), skill => skill.name)
    },
  }

  async function agentsOf(accountId: number, deploymentId: number, branchName: string | null): Promise<BranchAgents> {
    const found = await need.findBranchAgents(accountId, deploymentId, branchName)
    // It was there a moment ago.
    if (!found) throw new CodedError('deployment_not_found', { deployment: deploymentId })
    return found
  }
}

function skillsOf({ spaces }: AgentsConfig, name: string | undefined): AgentSkill[] {
  const wanted = spaces.filter(space => name === undefined || space.name === name)
  if (wanted.length === 0) {
    throw new CodedError('agent_space_not_found', { space: name ?? '', names: spaces.map(space => space.name) })
  }
  return wanted.flatMap(({ name: space, skills }) =>
    skills.map(({ name, title, description }) => ({ name, title, description, space })),
  )
}

function showAgent(
  record: agents.AgentRow,
  { config, problem }: BranchAgents,
  { baseUrl, account }: { readonly baseUrl: string; readonly account: string },
): Agent {
  const described = config.agents.find(({ name }) => name === record.name)
  const space = config.spaces.find(({ name }) => name === record.space)
  const isDefault = record.name === 'auto'
  return {
    id: record.id,
    deploymentId: record.deploymentId,
    name: described?.title ?? (isDefault ? 'Auto' : record.name),
    description: described?.description ?? null,
    agentConfigName: record.name,
    agentSpace: { name: record.space, title: space?.title ?? null },
    isDefault,
    isMisconfigured: !record.isConfigured,
    configError: problem,
    allowEmbedding: record.allowEmbedding,
    chatUrl: agentUrl(baseUrl, account, record.id),
    mcpUrl: mcpUrl(baseUrl),
  }
}
