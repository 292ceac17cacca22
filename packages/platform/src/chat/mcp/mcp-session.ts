import { CodedError, deploymentReaders } from '@hedron/contract'
import { branches, deployments, type Store } from '@hedron/store'
import type { Caller } from '../../caller.ts'
import { type FindDeployment, readableDeployments } from '../../deployments/find-deployment.ts'
import { McpError } from './mcp-error.ts'

/** One request of an assistant: who sends it, and what it works on where a call names nothing else. */
export interface McpSession {
  readonly caller: Caller
  /** Who bears the credential now: what goes on for long finds that out anew. @throws {CodedError} `not_authenticated` */
  readonly again: () => Promise<Caller>
  /** Null: none was chosen, and the first that the caller may read is the default. */
  readonly deploymentId: number | null
  /** Of the default deployment; null: production. */
  readonly branchName: string | null
}

/** What an address and headers of a connection choose (contract/behaviour/chat.md section 8). */
export interface McpChoice {
  readonly deploymentId: string | undefined
  readonly branchName: string | undefined
}

interface SessionsNeed {
  readonly store: Store
  readonly findDeployment: FindDeployment
}

/** Which deployments and branches a session's calls may be about. */
export function createMcpSessions({ store, findDeployment }: SessionsNeed) {
  /** Deployments that the caller may ask, the oldest first. */
  async function available(caller: Caller, limit: number): Promise<deployments.DeploymentRow[]> {
    const ids = readableDeployments(caller)
    return deployments.listDeployments(store.kysely, caller.accountId, { ids, creationSteps: undefined }, { limit })
  }

  /** @throws {McpError} for one that is not there, is another account's, or is beyond what the credential is limited to */
  async function requireDeployment(caller: Caller, deploymentId: number): Promise<deployments.DeploymentWithBranch> {
    try {
      return await findDeployment(caller, deploymentId, deploymentReaders)
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
      throw new McpError(`Deployment ${deploymentId} is not available via MCP for this account`)
    }
  }

  /** @throws {McpError} where there is none */
  async function defaultDeployment({ caller, deploymentId }: Pick<McpSession, 'caller' | 'deploymentId'>) {
    if (deploymentId !== null) return requireDeployment(caller, deploymentId)
    const [first] = await available(caller, 1)
    if (!first) throw new McpError('No deployment is available via MCP for this account')
    return requireDeployment(caller, first.id)
  }

  /**
   * What a call is about: its own deployment or the session's, its own branch or the session's. `null` names what is deployed; any
   * branch that is no personal dev branch is refused, and never answered from another.
   */
  async function place(
    session: McpSession,
    wanted: { readonly deploymentId?: number | undefined; readonly branchName?: string | null | undefined },
  ) {
    const { caller } = session
    const deployment =
      wanted.deploymentId === undefined
        ? await defaultDeployment(session)
        : await requireDeployment(caller, wanted.deploymentId)
    const branchName = wanted.branchName === undefined ? session.branchName : wanted.branchName
    if (branchName !== null) await requireDevBranch(caller.accountId, deployment.id, branchName)
    return { deployment, branchName }
  }

  /** @throws {McpError} */
  async function requireDevBranch(accountId: number, deploymentId: number, name: string): Promise<void> {
    const branch = await branches.findBranch(store.kysely, accountId, deploymentId, { name })
    if (branch?.kind === 'dev') return
    throw new McpError(
      `Branch ${JSON.stringify(name.slice(0, 255))} is no active dev branch of deployment ${deploymentId}. Send a dev-… branch, or null for the deployed model.`,
    )
  }

  return {
    available,
    place,
    defaultDeployment,

    /** Begins with a request. @throws {McpError} for a deployment or branch that cannot be worked on */
    async open(caller: Caller, again: McpSession['again'], choice: McpChoice): Promise<McpSession> {
      const chosen = choice.deploymentId?.trim() ?? ''
      if (chosen !== '' && !/^[1-9]\d{0,14}$/.test(chosen)) {
        throw new McpError(`Deployment ${chosen.slice(0, 50)} is not available via MCP for this account`)
      }
      const deploymentId = chosen === '' ? null : Number(chosen)
      const session: McpSession = { caller, again, deploymentId, branchName: null }
      const branchName = choice.branchName?.trim() ?? ''
      if (deploymentId === null && branchName === '') return session
      await place(session, { branchName: branchName === '' ? null : branchName })
      return { ...session, branchName: branchName === '' ? null : branchName }
    },
  }
}
export type McpSessions = ReturnType<typeof createMcpSessions>
