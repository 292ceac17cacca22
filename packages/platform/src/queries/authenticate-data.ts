import { createHash } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import * as z from 'zod'
import type { Effects } from '../effects.ts'
import { type DataCaller, defaultScopes } from './data-caller.ts'
import { DataError } from './data-error.ts'
import type { DeploymentRuntime } from './deployment-runtime.ts'

/** The platform's own claims inside a token; anything else in it is the customer's security context. */
const PlatformClaims = z.object({
  groups: z.array(z.string()).catch([]).default([]),
  userAttributes: z.record(z.string(), z.unknown()).catch({}).default({}),
  environmentId: z.number().optional().catch(undefined),
})

export interface DataToken {
  /** The token of `x-cube-authorization`, else of `Authorization`: the one word, or the second of two. */
  readonly header: string | undefined
  readonly branchName: string | null
  /** Id of the environment that the address names; an environment's tokens are valid there alone. */
  readonly environmentId: () => Promise<number>
}

/** Takes the token out of its header. @throws {DataError} 403 with the field's text when there is none. */
export function readToken(header: string | undefined): string {
  const words = header?.trim().split(/\s+/) ?? []
  const token = words.length > 1 ? words[1] : words[0]
  if (!token) throw new DataError(403, "Authorization header isn't set")
  return token
}

/**
 * Checks data-API tokens: HS256 by one of the deployment's API secrets, `exp` and `nbf` included (contract/behaviour/query.md
 * section 2). A checked token is remembered until it expires or the secrets change, so that a busy client pays once.
 */
export function createAuthenticateData({ effects }: { effects: Effects }) {
  const checked = new LRUCache<string, JWTPayload>({ max: 10_000 })

  async function verify(token: string, runtime: DeploymentRuntime): Promise<JWTPayload> {
    const digest = createHash('sha256').update(token)
    for (const secret of runtime.secrets) digest.update('\0').update(secret)
    const key = `${runtime.deploymentId} ${digest.digest('base64')}`
    const now = effects.now()
    const known = checked.get(key)
    if (known && (known.exp === undefined || known.exp * 1000 > now.getTime())) return known
    for (const secret of runtime.secrets) {
      try {
        const { payload } = await jwtVerify(token, secret, { algorithms: ['HS256'], currentDate: now })
        checked.set(key, payload)
        return payload
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) throw error
      }
    }
    throw new DataError(403, 'Invalid token')
  }

  return async (runtime: DeploymentRuntime, token: DataToken): Promise<DataCaller> => {
    const payload = await verify(readToken(token.header), runtime)
    const platform = PlatformClaims.safeParse(payload.cubeCloud ?? {}).data
    if (platform?.environmentId !== undefined && platform.environmentId !== (await token.environmentId())) {
      throw new DataError(403, 'Invalid token: it is of another environment of this deployment')
    }
    return {
      accountId: runtime.accountId,
      deploymentId: runtime.deploymentId,
      branchName: token.branchName,
      securityContext: payload,
      groups: platform?.groups ?? [],
      userAttributes: platform?.userAttributes ?? {},
      scopes: new Set(Array.isArray(payload.scope) ? payload.scope.map(String) : defaultScopes),
    }
  }
}
export type AuthenticateData = ReturnType<typeof createAuthenticateData>

/** @throws {DataError} 403 with the field's text. */
export function requireScope(caller: DataCaller, scope: string): void {
  if (!caller.scopes.has(scope)) throw new DataError(403, `API scope is missing: ${scope}`)
}
