import { CodedError } from '@hedron/contract'
import { accounts, agents, type Store } from '@hedron/store'
import type { ChatAddress } from '../asker/credential.ts'
import type { ChatApi } from '../chat-api.ts'
import { McpError } from './mcp-error.ts'
import type { McpSession, McpSessions } from './mcp-session.ts'
import type { McpContext } from './mcp-tool.ts'
import { type ChatOutcome, readAnswer } from './read-answer.ts'

interface ChatNeed {
  readonly store: Store
  readonly sessions: McpSessions
  readonly chat: Pick<ChatApi, 'stream'>
}

export interface ChatMessage {
  readonly input: string | undefined
  readonly chatId: string | undefined
  readonly agentId?: number | null | undefined
  readonly deploymentId?: number | undefined
  readonly branchName?: string | null | undefined
}

/** Talks to agents for the user of a session, by the same way that the chat API has. */
export function createChatOfSession({ store, sessions, chat }: ChatNeed) {
  /** @throws {McpError} */
  async function addressOf(session: McpSession, { agentId, deploymentId, branchName }: ChatMessage) {
    const { accountId } = session.caller
    const accountName = (await accounts.findAccountName(store.kysely, accountId)) ?? ''
    const agent = agentId == null ? undefined : await agents.findAgent(store.kysely, accountId, { id: agentId })
    if (agentId != null && !agent) throw new McpError(new CodedError('agent_not_found', { agent: agentId }).message)
    if (agent && deploymentId !== undefined && agent.deploymentId !== deploymentId) {
      throw new McpError(`Agent ${agent.id} is of another deployment than ${deploymentId}.`)
    }
    const place = await sessions.place(session, { deploymentId: agent?.deploymentId ?? deploymentId, branchName })
    const address: ChatAddress = agent
      ? { accountName, form: 'agent', id: String(agent.id) }
      : { accountName, form: 'deployment', id: String(place.deployment.id) }
    return { ...place, address }
  }

  return async (
    session: McpSession,
    message: ChatMessage,
    { requestId, address: from, signal }: McpContext,
  ): Promise<ChatOutcome & { readonly deploymentId: number; readonly branchName: string | null }> => {
    const { caller, again } = session
    const { deployment, branchName, address } = await addressOf(session, message)
    const body = {
      input: message.input,
      chatId: message.chatId,
      ...(branchName === null ? {} : { activeBranchName: branchName, isDefaultBranch: false }),
    }
    const credential = { kind: 'self', accountId: caller.accountId, caller, again } as const
    const lines = await chat.stream(credential, address, body, { requestId, address: from })
    return { ...(await readAnswer(lines, signal)), deploymentId: deployment.id, branchName }
  }
}
export type ChatOfSession = ReturnType<typeof createChatOfSession>
