import { CodedError, Policy } from '@hedron/contract'
import { apiKeys, type Store } from '@hedron/store'
import type { Caller } from '../caller.ts'
import type { Effects } from '../effects.ts'
import { isAccessToken } from '../sign-in/authenticate-login.ts'
import { digestOf } from './digest.ts'
import { effectivePolicies } from './roles/effective-policies.ts'

/** How often the last use of a key is written, in milliseconds. */
const touchInterval = 60_000

/** How what is kept by credential, such as dev mode, names an API key. */
export const credentialOf = (keyId: string): string => `key:${keyId}`

interface AuthenticateNeeds {
  readonly store: Store
  readonly effects: Effects
  /** Finds out who bears the token of an embed session. @throws {CodedError} `not_authenticated`. */
  readonly authenticateEmbed: (token: string) => Promise<Caller>
  /** Finds out who bears an access token of a login. @throws {CodedError} `not_authenticated`. */
  readonly authenticateLogin: (token: string) => Promise<Caller>
}

/**
 * Finds out who sends an `Authorization` header: `Api-Key <key>`, `Bearer <key>` (SPEC, "Authentication"), `Bearer <access token>` of a
 * login (SPEC, "Client login"), or `Embed-Token <token>`.
 *
 * A key that is limited to deployments is no administrator, whoever made it: it could otherwise make itself a key without the
 * limit. A key without limits does what its user may: an administrator everything, and one who is no administrator any more what
 * his roles grant.
 *
 * @throws {CodedError} `not_authenticated`, the same for an unknown, revoked and expired key, and for one whose user is deactivated.
 */
export function createAuthenticate({ store, effects, authenticateEmbed, authenticateLogin }: AuthenticateNeeds) {
  const touched = new Map<string, number>()

  return async (authorization: string | undefined): Promise<Caller> => {
    const { scheme, secret } = readSecret(authorization)
    if (scheme === 'embed-token') return authenticateEmbed(secret)
    if (scheme === 'bearer' && isAccessToken(secret)) return authenticateLogin(secret)
    const key = await apiKeys.findApiKeyByDigest(store.kysely, digestOf(secret))
    const now = effects.now()
    if (!key || key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now)) {
      throw new CodedError('not_authenticated', { reason: 'The API key is not valid: unknown, revoked or expired.' })
    }
    if (key.userIsDeactivated === true) {
      throw new CodedError('not_authenticated', { reason: 'The user of this API key is deactivated.' })
    }
    // Keys of administrators need no look-up of roles, and they are nearly all.
    const granted =
      key.createdByUserId === null || key.userIsAdmin === true
        ? null
        : await effectivePolicies(store.kysely, key.accountId, key.createdByUserId)
    if (now.getTime() - (touched.get(key.id) ?? 0) > touchInterval) {
      touched.set(key.id, now.getTime())
      await apiKeys.touchApiKey(store.kysely, key.accountId, key.id, now)
    }
    const scope = key.deploymentIds
    return {
      accountId: key.accountId,
      userId: key.createdByUserId,
      name: key.userFirstName ?? key.name,
      email: key.userEmail ?? `${key.id}@api-key.invalid`,
      isAdmin: key.policies === null && scope === null && granted === null,
      policies: key.policies === null && granted !== null ? granted : policiesOf(key.policies, scope),
      deploymentScope: scope === null ? null : new Set(scope),
      credential: credentialOf(key.id),
      embed: null,
    }
  }
}

const schemes: ReadonlySet<string> = new Set(['api-key', 'bearer', 'embed-token'])

function readSecret(authorization: string | undefined): { scheme: string; secret: string } {
  if (authorization === undefined || authorization.trim() === '') {
    throw new CodedError('not_authenticated', { reason: 'There is no Authorization header.' })
  }
  const [, scheme, secret] = /^\s*([A-Za-z-]+)\s+(\S+)\s*$/.exec(authorization) ?? []
  const known = scheme?.toLowerCase() ?? ''
  if (secret === undefined || !schemes.has(known)) {
    throw new CodedError('not_authenticated', { reason: 'The Authorization header has no scheme that is known here.' })
  }
  return { scheme: known, secret }
}

function policiesOf(stored: unknown, scope: readonly number[] | null): Policy[] {
  if (stored !== null) return Policy.array().parse(stored)
  if (scope === null) return []
  return [{ resourceType: 'Deployment', actions: ['All'], resources: scope.map(String) }]
}
