import { createRequestLog, type RequestLog } from '../logs/request-log.ts'
import { type Soon, whenThere } from '../soon.ts'
import { type Bearer, createAuthenticateData } from './authenticate-data.ts'
import type { DataCaller } from './data-caller.ts'
import { DataError } from './data-error.ts'
import { createDataOperations, type DataOperations } from './data-operations.ts'
import { poolName } from './deployment-runtime.ts'
import { type Admit, createRateLimit } from './rate-limit.ts'
import { createAuthenticateSystem, type SystemCaller } from './system/system-caller.ts'
import { createSystemOperations, type SystemNeeds, type SystemOperations } from './system/system-operations.ts'
import type { CheckAuths } from './tokens/check-auth/check-auth.ts'

interface DataApiNeeds extends SystemNeeds {
  readonly checkAuths: CheckAuths
  /** Requests a second that a deployment answers; 0: as many as come. */
  readonly dataRateLimit: number
  /** Told of faults that no caller waits for. */
  readonly report: (error: unknown) => void
}

/** What looks after rollups: who may, and what there is to do. */
interface SystemApi {
  readonly operations: SystemOperations
  /** @throws {DataError} 404 where a deployment has no playground secret, 403 for any token that is not signed with it. */
  authenticate(request: TokenRequest): Promise<SystemCaller>
}

/** The data API of every deployment: who asks, and what they can ask. */
export interface DataApi {
  readonly operations: DataOperations
  readonly system: SystemApi
  /**
   * At once where the token was checked lately.
   *
   * @throws {DataError} 403 for a token that is not of this deployment and branch, 404 where there is no such deployment.
   */
  authenticate(request: TokenRequest): Soon<DataCaller>
  /** The same, with what else the token says. */
  findBearer(request: TokenRequest): Soon<Bearer>
  /** Counts a request of somebody who showed a valid token. @throws {DataError} 429 when there were too many. */
  readonly admit: Admit
  /** What was answered, for the logs of deployments. */
  readonly requestLog: RequestLog
  exists(deploymentId: number): Promise<boolean>
  /** Whether a deployment takes web sockets; undefined where there is no such deployment. */
  webSockets(deploymentId: number): Promise<boolean | undefined>
  /** The deployment is gone or its variables changed: nothing held for it is used again. */
  forget(deploymentId: number): Promise<void>
}

interface TokenRequest {
  readonly deploymentId: number
  readonly branchName: string | null
  /** The header that holds the token, or the token alone. */
  readonly header: string | undefined
}

export function createDataApi(need: DataApiNeeds): DataApi {
  const { runtimes } = need
  const authenticate = createAuthenticateData(need)

  const findBearer = ({ deploymentId, branchName, header }: TokenRequest): Soon<Bearer> =>
    whenThere(runtimes.find(deploymentId), runtime => {
      if (!runtime) throw new DataError(404, `There is no deployment ${deploymentId}`)
      const findBranch = (name: string | null) => need.findBranchModel(runtime.accountId, deploymentId, name)
      const environmentId = () =>
        whenThere(findBranch(branchName), branch => {
          if (!branch) throw new DataError(404, `There is no branch ${JSON.stringify(branchName)}`)
          return branch.branchId
        })
      // A branch that does not compile is nobody's way around the function.
      const findCheckAuth = () =>
        whenThere(findBranch(branchName), branch => {
          const model = branch?.compiled?.model
          if (model || branchName === null) return model?.checkAuth
          return whenThere(findBranch(null), production => production?.compiled?.model?.checkAuth)
        })
      return authenticate(runtime, { header, branchName, findCheckAuth, environmentId })
    })

  return {
    operations: createDataOperations(need),
    system: { operations: createSystemOperations(need), authenticate: createAuthenticateSystem(need) },
    requestLog: createRequestLog(need.effects),
    authenticate: request => whenThere(findBearer(request), ({ caller }) => caller),
    findBearer,
    admit: createRateLimit(need.dataRateLimit, need.effects),
    async exists(deploymentId) {
      return (await runtimes.find(deploymentId)) !== undefined
    },
    async webSockets(deploymentId) {
      return (await runtimes.find(deploymentId))?.webSockets
    },
    async forget(deploymentId) {
      runtimes.forget(deploymentId)
      await need.queryService.forget(poolName(deploymentId))
    },
  }
}
