import { Policy } from '@hedron/contract'
import { apiKeys, type Store, users } from '@hedron/store'
import type { Caller } from '../../caller.ts'
import type { Effects } from '../../effects.ts'
import { effectivePolicies } from '../../people/roles/effective-policies.ts'
import type { DataCaller } from '../../queries/data-caller.ts'
import { DataError } from '../../queries/data-error.ts'
import type { DataCallers } from './data-callers.ts'

/** Who began work that goes on after his request has ended: a member of the account, or a key without a user. */
export interface Person {
  readonly accountId: number
  readonly userId: number | null
  /** `key:<id>`, or that of a login. */
  readonly credential: string
  readonly name: string
  readonly email: string
}

/** One deployment's branch, asked with a person's rights. */
export interface PersonAsking {
  /** Null: production. */
  readonly branchName: string | null
  /**
   * His rights as they are now, found out anew at each call: a key that was revoked, a user who was deactivated and a role that was
   * taken away ask nothing more.
   *
   * @throws {DataError} 403
   * @throws {CodedError} `deployment_not_found`, `deployment_out_of_scope`, `permission_missing`
   */
  dataCaller(): Promise<DataCaller>
}

export type AskAs = (person: Person, deploymentId: number, branchName: string | null) => PersonAsking

interface AskAsNeed {
  readonly store: Store
  readonly effects: Effects
  readonly dataCallers: Pick<DataCallers, 'ofCaller'>
}

export function createAskAs({ store, effects, dataCallers }: AskAsNeed): AskAs {
  return (person, deploymentId, branchName) => ({
    branchName,
    dataCaller: async () =>
      dataCallers.ofCaller(await callerOf(person), { accountId: person.accountId, deploymentId, branchName }),
  })

  /** As `createAuthenticate` would find him by his credential. */
  async function callerOf({ accountId, userId, credential, name, email }: Person): Promise<Caller> {
    const user = userId === null ? undefined : await users.findUser(store.kysely, accountId, userId)
    if (userId !== null && (!user || user.isDeactivated)) {
      throw new DataError(403, 'The user who asks is gone or deactivated')
    }
    const isMember = user !== undefined && !user.isAdmin
    const granted = isMember ? await effectivePolicies(store.kysely, accountId, user.id) : null
    const key = await keyOf(accountId, credential)
    const scope = key?.deploymentIds ?? null
    const stored = key?.policies ?? null
    const scoped =
      scope === null
        ? []
        : [{ resourceType: 'Deployment' as const, actions: ['All' as const], resources: scope.map(String) }]
    return {
      accountId,
      userId,
      name,
      email,
      isAdmin: stored === null && scope === null && granted === null,
      policies: stored === null ? (granted ?? scoped) : Policy.array().parse(stored),
      deploymentScope: scope === null ? null : new Set(scope),
      credential,
      embed: null,
    }
  }

  /** Null: no key is the credential. @throws {DataError} 403 where it is one that is good no more. */
  async function keyOf(accountId: number, credential: string): Promise<apiKeys.ApiKeyRow | null> {
    const [, id] = /^key:(.+)$/.exec(credential) ?? []
    if (id === undefined) return null
    const key = await apiKeys.findApiKey(store.kysely, accountId, id)
    const isOver = key !== undefined && key.expiresAt !== null && key.expiresAt <= effects.now()
    if (!key || isOver) throw new DataError(403, 'The API key is not valid any more: revoked or expired')
    return key
  }
}
