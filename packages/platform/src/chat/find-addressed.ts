import { CodedError } from '@hedron/contract'
import type { FindAgent, FoundAgent } from './agents/find-agent.ts'
import type { ChatAddress } from './asker/credential.ts'

/** The agent that the address of a chat names. @throws {CodedError} `agent_not_found` */
export type FindAddressed = (accountId: number, address: ChatAddress, branchName: string | null) => Promise<FoundAgent>

export const createFindAddressed =
  (findAgent: FindAgent): FindAddressed =>
  async (accountId, { form, id }, branchName) => {
    const number = /^[1-9]\d{0,14}$/.test(id) ? Number(id) : undefined
    const key = form === 'agent' ? { agentId: number ?? 0 } : { deploymentId: number ?? 0 }
    const found = number === undefined ? undefined : await findAgent(accountId, key, branchName)
    if (found) return found
    if (form === 'deployment') throw new CodedError('deployment_not_found', { deployment: id })
    throw new CodedError('agent_not_found', { agent: id })
  }
