import { CodedError } from '@hedron/contract'
import { accounts, auditLog, type Store } from '@hedron/store'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../../caller.ts'
import type { Effects } from '../../effects.ts'
import { readEmbedToken } from '../../embedding/embed-token.ts'
import type { FindAddressed } from '../find-addressed.ts'
import type { ChatAddress, ChatCredential, ChatHeaders } from './credential.ts'
import { requireDeployment } from './data-callers.ts'
import { refused, type ServiceTokens } from './service-token.ts'

interface AuthenticateNeeds {
  readonly store: Store
  readonly effects: Effects
  /** @throws {CodedError} `not_authenticated`. */
  readonly authenticate: (authorization: string | undefined) => Promise<Caller>
  readonly serviceTokens: ServiceTokens
  readonly findAgent: FindAddressed
}

/** At most one row of the audit log for refusals of one address in this time, in milliseconds: whoever is refused writes no rows at will. */
const auditMs = 60_000

/**
 * Finds out who calls the chat API. `Authorization` goes before a service token (SPEC, "Service token authentication for chat", rule 3).
 *
 * @throws {CodedError} `not_authenticated`, which this API answers in its own form; `chat_agent_required` for an API key on the deployment
 * form; `chat_account_not_found`, `agent_not_found`.
 */
export function createAuthenticateChat(need: AuthenticateNeeds) {
  const { store, effects, serviceTokens } = need
  const accountIds = new LRUCache<string, number>({ max: 1000 })
  const audited = new LRUCache<string, true>({ max: 10_000, ttl: auditMs })

  async function authenticate(address: ChatAddress, headers: ChatHeaders): Promise<ChatCredential> {
    if (headers.authorization !== undefined && headers.authorization.trim() !== '') {
      return byAuthorization(address, headers.authorization)
    }
    if (headers.serviceToken !== undefined && headers.serviceToken.trim() !== '') {
      return byServiceToken(address, headers.serviceToken.trim())
    }
    throw new CodedError('not_authenticated', { reason: 'There is no Authorization header.' })
  }

  async function byAuthorization(address: ChatAddress, given: string): Promise<ChatCredential> {
    const authorization = asEmbedToken(given)
    const caller = await need.authenticate(authorization)
    const { accountId } = caller
    const isKey = caller.embed === null && caller.credential.startsWith('key:')
    if (isKey && address.form === 'deployment') throw new CodedError('chat_agent_required', {})
    if ((await findAccount(address.accountName)) !== accountId) {
      throw new CodedError('chat_account_not_found', { account: address.accountName })
    }
    return { kind: isKey ? 'key' : 'self', accountId, caller, again: () => need.authenticate(authorization) }
  }

  async function byServiceToken(address: ChatAddress, token: string): Promise<ChatCredential> {
    const accountId = await findAccount(address.accountName)
    if (accountId === undefined) throw new CodedError('chat_account_not_found', { account: address.accountName })
    const { deploymentId } = await need.findAgent(accountId, address, null)
    const deployment = await requireDeployment(store, accountId, deploymentId)
    if (!deployment.serviceAuthEnabled) {
      throw refused(`Deployment ${deploymentId} takes none: its setting serviceAuthEnabled is off.`)
    }
    const { externalId, email } = await serviceTokens(deploymentId, null, token)
    return { kind: 'service', accountId, deploymentId, token, externalId, email }
  }

  /** Accounts are never renamed. */
  async function findAccount(name: string): Promise<number | undefined> {
    const known = accountIds.get(name)
    if (known !== undefined) return known
    const id = (await accounts.findAccountByName(store.kysely, name))?.id
    if (id !== undefined) accountIds.set(name, id)
    return id
  }

  async function auditRefusal(
    address: ChatAddress,
    error: CodedError,
    from: { readonly address: string | null; readonly requestId: string },
  ): Promise<void> {
    const accountId = await findAccount(address.accountName)
    const key = `${accountId} ${from.address}`
    if (accountId === undefined || audited.has(key)) return
    audited.set(key, true)
    await auditLog.insertAudit(store.kysely, {
      accountId,
      at: effects.now(),
      actor: 'unknown',
      action: 'chat.refuse',
      target: `${address.form} ${address.id.slice(0, 100)}`,
      address: from.address,
      requestId: from.requestId,
      details: JSON.stringify({ message: error.message }),
    })
  }

  return { authenticate, auditRefusal }
}

/** `Bearer` of an embed token is that token: pages and clients write it either way. */
function asEmbedToken(authorization: string): string {
  const [, token] = /^\s*Bearer\s+(\S+)\s*$/i.exec(authorization) ?? []
  return token !== undefined && readEmbedToken(token) !== undefined ? `Embed-Token ${token}` : authorization
}
