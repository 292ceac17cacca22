import { CodedError } from '@hedron/contract'
import { checkAgents } from '@hedron/semantic'
import { type branches, builds, type deployments, type Store } from '@hedron/store'
import type { ObjectStore } from '../branches/object-store.ts'
import {
  findDeployBranch,
  findNamedBranch,
  findSessionBranch,
  givenName,
  resolveBranch,
} from '../branches/resolve-branch.ts'
import { currentTree, treeOf } from '../branches/trees.ts'
import type { Caller } from '../caller.ts'
import type { ReadAgentFiles } from '../chat/agents/read-agent-files.ts'
import type { FindDeployment } from '../deployments/find-deployment.ts'
import type { Operations } from '../operations.ts'
import { describeProblems } from './describe-problems.ts'
import type { ReadModel } from './read-model.ts'
import { showProblem } from './show-problem.ts'

interface BuildOperationsNeeds {
  readonly store: Store
  readonly objects: ObjectStore
  readonly findDeployment: FindDeployment
  readonly readModel: ReadModel
  readonly agentFiles: ReadAgentFiles
}

type Deployment = deployments.DeploymentWithBranch

const shownStatus = {
  queued: 'building',
  building: 'building',
  built: 'built',
  failed: 'failed',
  cancelled: 'cancelled',
} as const

export function createBuildOperations(
  needs: BuildOperationsNeeds,
): Pick<Operations, 'validateDataModel' | 'buildStatus'> {
  const { store, objects, findDeployment, readModel } = needs

  return {
    async validateDataModel(caller, { params, query }) {
      const deployment = await findDeployment(caller, params.deploymentId, 'SchemaRead')
      const branch = await branchToValidate(caller, deployment, query)
      const tree = await currentTree(objects.reader(store.kysely, repositoryOf(deployment)), branch)
      const { model, tree: project, cubesCount, ...said } = await readModel(projectOf(deployment), tree)
      // Agents whose files are wrong stop no query: the model is built all the same, and the agents stay as they were.
      const agents = await needs.agentFiles.inProject(repositoryOf(deployment), project)
      const problems = [...said.problems, ...agents.problems]
      const unknown = agents.config === null ? [] : checkAgents(agents.config, model)
      const warnings = [...said.warnings, ...agents.warnings, ...unknown]
      return {
        deploymentId: deployment.id,
        branchName: branch.name,
        mode: branch.id === deployment.deployBranchId ? 'production' : 'dev_mode',
        valid: problems.length === 0,
        errors: problems.map(showProblem),
        warnings: warnings.map(showProblem),
        cubesCount,
      }
    },

    async buildStatus(caller, { params, query }) {
      const deployment = await findDeployment(caller, params.deploymentId, 'DeploymentRead')
      const branch = await resolveBranch(store.kysely, caller, deployment, query)
      const state = branch.kind === 'dev' ? await devState(deployment, branch) : await sharedState(branch)
      // Read after the state: a build that is told to have ended has put its tree there.
      const deployBranch = await findDeployBranch(store.kysely, repositoryOf(deployment), deployment.deployBranchId)
      return {
        deploymentId: deployment.id,
        branchName: branch.name,
        mode: await modeOf(caller, deployment, branch),
        ...state,
        deploymentStatus: deployBranch.servingTree === null ? 'none' : 'running',
        lastHash: branch.head,
      }
    },
  }

  async function branchToValidate(
    caller: Caller,
    deployment: Deployment,
    query: { readonly branchName?: string | undefined; readonly devMode?: boolean | undefined },
  ) {
    const repository = repositoryOf(deployment)
    if (!query.devMode) {
      const named = await findNamedBranch(store.kysely, repository, query)
      return named ?? findDeployBranch(store.kysely, repository, deployment.deployBranchId)
    }
    if (givenName(query.branchName) !== undefined) {
      throw new CodedError('invalid_request', {
        problems: 'branchName and devMode cannot be combined; send one of them',
      })
    }
    const branch = await findSessionBranch(store.kysely, caller, deployment.id)
    if (!branch) throw new CodedError('dev_mode_inactive', {})
    return branch
  }

  /** A dev branch has no builds: it is what its files are. */
  async function devState(deployment: Deployment, branch: branches.BranchRow) {
    const tree = await currentTree(objects.reader(store.kysely, repositoryOf(deployment)), branch)
    const { problems } = await readModel(projectOf(deployment), tree)
    return {
      status: problems.length === 0 ? ('built' as const) : ('failed' as const),
      errorText: describeProblems(problems) ?? null,
      buildJobId: null,
      filesHash: tree,
      updatedAt: branch.updatedAt.toISOString(),
    }
  }

  async function sharedState(branch: branches.BranchRow) {
    const build = await builds.findNewestBuild(store.kysely, branch.accountId, branch.id)
    if (!build) {
      const filesHash = await treeOf(objects.reader(store.kysely, branch), branch.head)
      return { status: 'none' as const, errorText: null, buildJobId: null, filesHash, updatedAt: null }
    }
    return {
      status: shownStatus[build.status],
      errorText: build.errorText,
      buildJobId: build.id,
      filesHash: build.tree,
      updatedAt: (build.finishedAt ?? build.startedAt ?? build.createdAt).toISOString(),
    }
  }

  async function modeOf(caller: Caller, deployment: Deployment, branch: branches.BranchRow): Promise<string> {
    if (branch.kind === 'dev') return 'dev_mode'
    const session = await findSessionBranch(store.kysely, caller, deployment.id)
    if (session?.id === branch.id) return 'dev_mode'
    return branch.id === deployment.deployBranchId ? 'production' : 'staging'
  }
}

const repositoryOf = ({ accountId, id }: Deployment) => ({ accountId, deploymentId: id })

const projectOf = (deployment: Deployment) => ({
  ...repositoryOf(deployment),
  deployProjectRoot: deployment.deployProjectRoot,
})
