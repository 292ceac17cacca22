import { CodedError } from '@hedron/contract'
import { apiKeys, deployments, type Store, users } from '@hedron/store'
import type { Effects } from '../../effects.ts'
import { dataTokenClaims } from '../../environments/data-token-claims.ts'
import type { DataCaller } from '../../queries/data-caller.ts'
import { DataError } from '../../queries/data-error.ts'
import type { DeploymentRuntimes } from '../../queries/deployment-runtime.ts'
import { readContents } from '../../queries/tokens/security-context.ts'

/** A member of the account, or a key without a user, by whom a tool is asked or for whom work goes on after the request. */
export interface Person {
  readonly accountId: number
  readonly userId: number | null
  /** `key:<id>` or that of a login. */
  readonly credential: string
  readonly name: string
  readonly email: string
}

/** One deployment's branch, asked with a person's rights. */
export interface PersonAsking {
  /** Null: production. */
  readonly branchName: string | null
  /**
   * Found out anew at each call: a key that was revoked and a user who was deactivated ask nothing more.
   *
   * @throws {DataError} 403, 404
   */
  dataCaller(): Promise<DataCaller>
}

export type AskAs = (person: Person, deploymentId: number, branchName: string | null) => PersonAsking

interface AskAsNeed {
  readonly store: Store
  readonly effects: Effects
  readonly runtimes: Pick<DeploymentRuntimes, 'find'>
}

const scopes: ReadonlySet<string> = new Set(['meta', 'data'])

/** Asks data as the bearer of a token would that the person made for himself (POST …/deployments/{id}/token). */
export function createAskAs({ store, effects, runtimes }: AskAsNeed): AskAs {
  return (person, deploymentId, branchName) => ({
    branchName,
    async dataCaller() {
      const { accountId } = person
      const deployment = await deployments.findDeployment(store.kysely, accountId, deploymentId)
      const runtime = deployment && (await runtimes.find(deploymentId))
      if (!deployment || !runtime) throw new DataError(404, `There is no deployment ${deploymentId}`)
      await requireAlive(person)
      const issued = effects.now()
      const caller = { ...person, isAdmin: false, policies: [], deploymentScope: null, embed: null }
      const claims = await dataTokenClaims(store.kysely, caller, deployment, { issued, expires: issued })
      const { securityContext, platform } = readContents(claims, runtime.tokens, true)
      const { groups, userAttributes } = platform
      return { accountId, deploymentId, branchName, securityContext, groups, userAttributes, scopes }
    },
  })

  /** @throws {DataError} 403 */
  async function requireAlive({ accountId, userId, credential }: Person): Promise<void> {
    const user = userId === null ? undefined : await users.findUser(store.kysely, accountId, userId)
    if (userId !== null && (!user || user.isDeactivated)) {
      throw new DataError(403, 'The user who asks is deactivated or gone')
    }
    const [, keyId] = /^key:(.+)$/.exec(credential) ?? []
    if (keyId === undefined) return
    const key = await apiKeys.findApiKey(store.kysely, accountId, keyId)
    const isOver = key?.expiresAt ? key.expiresAt <= effects.now() : false
    if (!key || isOver) throw new DataError(403, new CodedError('not_authenticated', { reason: keyGone }).message)
  }
}

const keyGone = 'The API key is not valid any more: revoked or expired.'
