import type { Effects } from '../../effects.ts'
import { readToken } from '../authenticate-data.ts'
import { DataError } from '../data-error.ts'
import type { DeploymentRuntimes } from '../deployment-runtime.ts'
import { tokenErrors } from '../tokens/token-error.ts'
import { verifyPlaygroundToken } from '../tokens/verify-token.ts'

/** Who looks after the rollups of a deployment: the bearer of a token that is signed with its playground secret. */
export interface SystemCaller {
  readonly accountId: number
  readonly deploymentId: number
  /** Branch of a `/dev-mode/<branch>/` address; null: production. */
  readonly branchName: string | null
}

export interface SystemTokenRequest {
  readonly deploymentId: number
  readonly branchName: string | null
  /** The header that holds the token, or the token alone. */
  readonly header: string | undefined
}

/**
 * Checks tokens of `/cubejs-system` (contract/behaviour/query.md section 1): signed HS256 with `CUBEJS_PLAYGROUND_AUTH_SECRET`, and no
 * other. Without the variable a deployment has no such addresses.
 *
 * @throws {DataError} 404 where there is no deployment or no secret, 403 for any other token
 */
export function createAuthenticateSystem(need: { readonly effects: Effects; readonly runtimes: DeploymentRuntimes }) {
  return async ({ deploymentId, branchName, header }: SystemTokenRequest): Promise<SystemCaller> => {
    const runtime = await need.runtimes.find(deploymentId)
    if (!runtime) throw new DataError(404, `There is no deployment ${deploymentId}`)
    const { accountId, tokens: settings } = runtime
    if (settings.playgroundSecret === null) {
      throw new DataError(
        404,
        `Deployment ${deploymentId} has no /cubejs-system: set CUBEJS_PLAYGROUND_AUTH_SECRET, with which its tokens are signed.`,
      )
    }
    const payload = await verifyPlaygroundToken(readToken(header), { settings, now: need.effects.now() })
    if (payload === undefined) throw tokenErrors.invalid()
    return { accountId, deploymentId, branchName }
  }
}
