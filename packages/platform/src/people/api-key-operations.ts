import { type ApiKey, CodedError, Policy } from '@hedron/contract'
import { apiKeys, devSessions, type Store } from '@hedron/store'
import { requireAdmin } from '../access.ts'
import type { Audit } from '../audit.ts'
import { type Effects, randomId } from '../effects.ts'
import type { Operations } from '../operations.ts'
import { page } from '../page.ts'
import { credentialOf } from './authenticate.ts'
import { digestOf } from './digest.ts'

interface ApiKeysNeed {
  readonly store: Store
  readonly effects: Effects
  readonly audit: Audit
  /** @throws {CodedError} `deployment_not_found` for an id that is not of the account. */
  readonly requireDeployments: (accountId: number, ids: readonly number[]) => Promise<void>
}

type ApiKeyOperations = Pick<Operations, 'listApiKeys' | 'createApiKey' | 'getApiKey' | 'revokeApiKey'>

export function createApiKeyOperations({ store, effects, audit, requireDeployments }: ApiKeysNeed): ApiKeyOperations {
  return {
    async listApiKeys(caller, { query }) {
      requireAdmin(caller)
      return page(
        'api-keys',
        query,
        ({ limit, after }: { limit: number; after: readonly [string, string] | undefined }) =>
          apiKeys.listApiKeys(store.kysely, caller.accountId, { after, limit }),
        row => [row.createdAt.toISOString(), row.id] as const,
        showApiKey,
      )
    },

    async createApiKey(caller, { body }, context) {
      requireAdmin(caller)
      await requireDeployments(caller.accountId, body.deploymentIds ?? [])
      const token = `sk-${effects.randomBytes(32).toString('base64url')}`
      const id = randomId(effects)
      await store.transaction(async transaction => {
        await apiKeys.insertApiKey(transaction, {
          id,
          accountId: caller.accountId,
          createdByUserId: caller.userId,
          name: body.name,
          digest: digestOf(token),
          prefix: token.slice(0, 8),
          deploymentIds: body.deploymentIds ? [...new Set(body.deploymentIds)] : null,
          policies: body.policies ? JSON.stringify(body.policies) : null,
          createdAt: effects.now(),
          expiresAt: body.expiresAt ? new Date(body.expiresAt) : null,
        })
        await audit(transaction, caller, context, 'api-key.create', `api-key ${id}`, { name: body.name })
      })
      return { ...showApiKey(await find(caller.accountId, id)), token }
    },

    async getApiKey(caller, { params }) {
      requireAdmin(caller)
      return showApiKey(await find(caller.accountId, params.id))
    },

    async revokeApiKey(caller, { params }, context) {
      requireAdmin(caller)
      await store.transaction(async transaction => {
        const revoked = await apiKeys.revokeApiKey(transaction, caller.accountId, params.id, effects.now())
        if (!revoked) throw new CodedError('api_key_not_found', { id: params.id })
        await devSessions.closeSessionsOf(transaction, caller.accountId, credentialOf(params.id))
        await audit(transaction, caller, context, 'api-key.revoke', `api-key ${params.id}`)
      })
      return { success: true }
    },
  }

  async function find(accountId: number, id: string): Promise<apiKeys.ApiKeyListed> {
    const row = await apiKeys.findApiKey(store.kysely, accountId, id)
    if (!row) throw new CodedError('api_key_not_found', { id })
    return row
  }
}

function showApiKey(row: apiKeys.ApiKeyListed): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    deploymentIds: row.deploymentIds,
    policies: row.policies === null ? null : Policy.array().parse(row.policies),
    createdBy: row.createdByEmail,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  }
}
