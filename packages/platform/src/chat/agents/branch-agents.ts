import { CodedError } from '@hedron/contract'
import type { AgentsConfig } from '@hedron/semantic'
import { agentFiles, agents, branches, deployments, type Store } from '@hedron/store'
import type { ObjectStore } from '../../branches/object-store.ts'
import { currentTree } from '../../branches/trees.ts'
import { describeProblems } from '../../builds/describe-problems.ts'
import { projectTree } from '../../builds/project-tree.ts'
import type { Effects } from '../../effects.ts'
import { noAgentFiles, type ReadAgentFiles } from './read-agent-files.ts'

interface BranchAgentsNeed {
  readonly store: Store
  readonly objects: ObjectStore
  readonly effects: Effects
  readonly agentFiles: ReadAgentFiles
}

/** The agents of a branch. */
export interface BranchAgents {
  readonly branchName: string
  readonly isDeployBranch: boolean
  readonly config: AgentsConfig
  /** What is wrong with the branch's files as they are; `config` is then of the last that were right. */
  readonly problem: string | null
  /** Records of the deployment's agents. */
  readonly records: readonly agents.AgentRow[]
}

/** @param branch by name or id; null: the deploy branch */
export type FindBranchAgents = (
  accountId: number,
  deploymentId: number,
  branch: string | { readonly id: number } | null,
) => Promise<BranchAgents | undefined>

type Deployment = deployments.DeploymentWithBranch

/**
 * Finds the agents of a branch: of a shared branch as the tree that it serves says, of a personal dev
 * branch as its files are now. A shared branch whose files have a problem keeps the agents of the last tree that had none, so that
 * a slip in a rule ends no conversation. Agents that are new on the deploy branch get their records here, whoever looks first.
 *
 * @returns undefined where the deployment or the branch is not there
 * @throws {CodedError} `agents_invalid` for a dev branch whose files have a problem
 */
export function createFindBranchAgents(need: BranchAgentsNeed): FindBranchAgents {
  const { store, objects, effects } = need

  return async (accountId, deploymentId, wanted) => {
    const deployment = await deployments.findDeployment(store.kysely, accountId, deploymentId)
    if (!deployment) return undefined
    const key = typeof wanted === 'string' ? { name: wanted } : (wanted ?? { id: deployment.deployBranchId })
    const branch = await branches.findBranch(store.kysely, accountId, deploymentId, key)
    if (!branch) return undefined
    const isDeployBranch = branch.id === deployment.deployBranchId
    const found =
      branch.kind === 'dev' ? await ofDevBranch(deployment, branch) : await ofSharedBranch(deployment, branch)
    const records = await recordsOf(deployment, isDeployBranch ? found.config : null)
    return { branchName: branch.name, isDeployBranch, records, ...found }
  }

  async function filesAt(deployment: Deployment, tree: string) {
    const repository = repositoryOf(deployment)
    const reader = objects.reader(store.kysely, repository)
    return need.agentFiles.inProject(repository, await projectTree(reader, tree, deployment.deployProjectRoot))
  }

  async function ofDevBranch(deployment: Deployment, branch: branches.BranchRow) {
    const reader = objects.reader(store.kysely, repositoryOf(deployment))
    const { config, problems } = await filesAt(deployment, await currentTree(reader, branch))
    if (config) return { config, problem: null }
    throw new CodedError('agents_invalid', { branch: branch.name, problem: describeProblems(problems) ?? '' })
  }

  async function ofSharedBranch(deployment: Deployment, branch: branches.BranchRow) {
    // Nothing was built yet.
    if (branch.servingTree === null) return { config: noAgentFiles, problem: null }
    const repository = repositoryOf(deployment)
    const files = await filesAt(deployment, branch.servingTree)
    if (files.config) {
      await remember(deployment, branch, { tree: files.tree, goodTree: files.tree, problem: null })
      return { config: files.config, problem: null }
    }
    const problem = describeProblems(files.problems) ?? null
    const last = await remember(deployment, branch, { tree: files.tree, goodTree: null, problem })
    const good = last === null ? null : await need.agentFiles.ofFolder(repository, last)
    return { config: good?.config ?? noAgentFiles, problem }
  }

  /** @returns the last folder without problems. */
  async function remember(
    { accountId, id: deploymentId }: Deployment,
    branch: branches.BranchRow,
    found: agentFiles.AgentFilesRow,
  ): Promise<string | null> {
    const known = await agentFiles.findAgentFiles(store.kysely, accountId, branch.id)
    if (known?.tree !== found.tree || (found.goodTree !== null && known.goodTree !== found.goodTree)) {
      const key = { accountId, deploymentId, branchId: branch.id }
      await store.transaction(transaction => agentFiles.saveAgentFiles(transaction, key, found))
    }
    return found.goodTree ?? known?.goodTree ?? null
  }

  /** @param config of the deploy branch; null: another branch's, which makes no records */
  async function recordsOf(deployment: Deployment, config: AgentsConfig | null): Promise<agents.AgentRow[]> {
    const { accountId, id } = deployment
    const records = await agents.listAgents(store.kysely, accountId, [id])
    if (config === null || isReconciled(records, config)) return records
    await store.transaction(async transaction => {
      await agentFiles.lockAgentFiles(transaction, id)
      await agents.reconcileAgents(transaction, { accountId, deploymentId: id }, config.agents, effects.now())
    })
    return agents.listAgents(store.kysely, accountId, [id])
  }
}

const repositoryOf = ({ accountId, id }: Deployment) => ({ accountId, deploymentId: id })

function isReconciled(records: readonly agents.AgentRow[], { agents: configured }: AgentsConfig): boolean {
  const known = new Map(records.filter(({ isConfigured }) => isConfigured).map(({ name, space }) => [name, space]))
  return known.size === configured.length && configured.every(({ name, space }) => known.get(name) === space)
}
