import { CodedError, type Evaluation, type Permission } from '@hedron/contract'
import type { AgentsConfig, EvalQuestion } from '@hedron/semantic'
import { branches, type deployments, evalRuns, type Store } from '@hedron/store'
import type { Audit } from '../../audit.ts'
import { refuseForeignBranch } from '../../branches/resolve-branch.ts'
import type { FindDeployment } from '../../deployments/find-deployment.ts'
import type { Effects } from '../../effects.ts'
import type { Operations } from '../../operations.ts'
import { page } from '../../page.ts'
import type { FindBranchAgents } from '../agents/branch-agents.ts'
import { showResult, showRun } from './show-eval.ts'

interface EvalOperationsNeed {
  readonly store: Store
  readonly effects: Effects
  readonly audit: Audit
  readonly findDeployment: FindDeployment
  readonly findBranchAgents: FindBranchAgents
  /** A run was queued. */
  readonly wakeEvals: () => void
}

type EvalOperations = Pick<Operations, 'startEvaluation' | 'getEvaluation' | 'getEvaluationResults'>

/** Runs of one deployment that wait or run at once. */
const mostOpenRuns = 20

const starters = ['SchemaUpdate', 'SchemaUpdateDevBranches', 'AgentManage'] as const satisfies readonly Permission[]

/** Evaluations of agents (contract/cli-admin.md 5.1). */
export function createEvalOperations(need: EvalOperationsNeed): EvalOperations {
  const { store, effects, audit, findDeployment } = need

  return {
    async startEvaluation(caller, { params, body }, context) {
      const deployment = await findDeployment(caller, params.deploymentId, starters)
      const { accountId, id: deploymentId } = deployment
      const branch = await branches.findBranch(store.kysely, accountId, deploymentId, { name: body.branchName })
      if (!branch) throw new CodedError('branch_not_found', { branch: body.branchName })
      refuseForeignBranch(caller, branch)
      const { agentName = 'auto', questionFile } = body
      const found = await need.findBranchAgents(accountId, deploymentId, branch.name)
      if (!found) throw new CodedError('branch_not_found', { branch: branch.name })
      const questions = questionsOf(found.config, branch.name, agentName, questionFile)
      const run = await store.transaction(async transaction => {
        const open = await evalRuns.countOpenRuns(transaction, accountId, deploymentId)
        if (open >= mostOpenRuns) throw new CodedError('eval_too_many', { limit: mostOpenRuns })
        const inserted = await evalRuns.insertEvalRun(
          transaction,
          {
            accountId,
            deploymentId,
            branchName: branch.name,
            agentName,
            questionFile: questionFile ?? null,
            userId: caller.userId,
            credential: caller.credential,
            askerName: caller.name,
            askerEmail: caller.email,
            createdAt: effects.now(),
          },
          questions,
        )
        await audit(transaction, caller, context, 'evaluation.start', `evaluation ${inserted.id}`, {
          deploymentId,
          branchName: branch.name,
          agentName,
        })
        return inserted
      })
      need.wakeEvals()
      return showRun(run, environmentOf(deployment, run), { total: questions.length, asked: 0, passed: 0 })
    },

    async getEvaluation(caller, { params }) {
      const deployment = await findDeployment(caller, params.deploymentId, 'SchemaRead')
      const run = await findRun(deployment, params.evaluationId)
      const counts = await evalRuns.countResults(store.kysely, run.accountId, run.id)
      return showRun(run, environmentOf(deployment, run), counts)
    },

    async getEvaluationResults(caller, { params, query }) {
      const deployment = await findDeployment(caller, params.deploymentId, 'SchemaRead')
      const { accountId, id } = await findRun(deployment, params.evaluationId)
      return page<evalRuns.EvalResultRow, ReturnType<typeof showResult>, readonly [number]>(
        'evaluation-results',
        // Whoever grades a run has to see all of it: it is never cut where no page was asked for.
        query.first === undefined && query.after === undefined ? { first: mostQuestions } : query,
        ({ after, limit }) =>
          evalRuns.listResults(store.kysely, accountId, id, {
            limit,
            ...(after === undefined ? {} : { after: after[0] }),
          }),
        row => [row.position],
        showResult,
      )
    },
  }

  async function findRun(deployment: deployments.DeploymentWithBranch, id: number): Promise<evalRuns.EvalRunRow> {
    const run = await evalRuns.findEvalRun(store.kysely, deployment.accountId, deployment.id, id)
    if (!run) throw new CodedError('evaluation_not_found', { id, deployment: deployment.id })
    return run
  }
}

/** More than any team writes, and as many as one page holds. */
const mostQuestions = 1000

/** The questions of an agent's space, each with what tells the right answer as it is now. @throws {CodedError} */
function questionsOf(
  { agents, spaces, questions, directory }: AgentsConfig,
  branch: string,
  agentName: string,
  file: string | undefined,
): evalRuns.NewQuestion[] {
  const agent = agents.find(({ name }) => name === agentName)
  const space = spaces.find(({ name }) => name === agent?.space)
  if (!agent || !space) throw new CodedError('agent_not_configured', { agent: agentName, branch })
  const wanted = questions.filter(each => each.space === space.name && isOfFile(each, directory, file))
  if (wanted.length === 0) throw new CodedError('eval_questions_missing', { space: space.name, branch, file })
  if (wanted.length > mostQuestions) {
    throw new CodedError('invalid_request', {
      problems: `questionFile: choose one; ${wanted.length} questions are more than the ${mostQuestions} of one evaluation`,
    })
  }
  return wanted.map(({ name, question, truth }) => ({
    name,
    question,
    truth: 'sql' in truth ? { certifiedQuery: null, sql: truth.sql } : certified(truth.certifiedQuery),
  }))

  function certified(name: string): evalRuns.NewQuestion['truth'] {
    return { certifiedQuery: name, sql: space?.certifiedQueries.find(query => query.name === name)?.sqlQuery ?? null }
  }
}

/** By its path below the folder of agents, or from the project's root. */
function isOfFile({ at }: EvalQuestion, directory: string, file: string | undefined): boolean {
  if (file === undefined) return true
  const path = file.replace(/^(\.?\/)+/, '')
  return at.file === path || at.file === `${directory}/${path}`
}

function environmentOf(
  { deployBranchName }: deployments.DeploymentWithBranch,
  { branchName }: evalRuns.EvalRunRow,
): Evaluation['environment'] {
  if (branchName === deployBranchName) return 'prod'
  return branchName.startsWith('dev-') ? 'dev' : 'staging'
}
