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

/** A token that was checked: who bears it, until when, and for which environment alone it is valid. */
interface Checked {
  readonly caller: DataCaller
  /** Milliseconds since 1970. */
  readonly expires: number
  readonly environmentId: number | undefined
}

/** Characters of tokens that are remembered for one deployment. */
const rememberedSize = 4 * 1024 * 1024
const tokenMemory = { maxSize: rememberedSize, sizeCalculation: (_: Checked, token: string) => 500 + token.length }

/**
 * Checks data-API tokens: HS256 by one of the deployment's API secrets, `exp` and `nbf` included (contract/behaviour/query.md
 * section 2). What a token says is remembered until it expires or the deployment is read again, so that a busy client pays once
 * and is the same caller each time.
 */
export function createAuthenticateData({ effects }: { effects: Effects }) {
  const known = new WeakMap<DeploymentRuntime, LRUCache<string, Checked>>()

  async function verify(token: string, { secrets }: DeploymentRuntime, now: Date): Promise<JWTPayload> {
    for (const secret of secrets) {
      try {
        const { payload } = await jwtVerify(token, secret, { algorithms: ['HS256'], currentDate: now })
        return payload
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) throw error
      }
    }
    throw new DataError(403, 'Invalid token')
  }

  async function check(token: string, branchName: string | null, runtime: DeploymentRuntime): Promise<Checked> {
    const checked = known.get(runtime) ?? new LRUCache<string, Checked>(tokenMemory)
    known.set(runtime, checked)
    const key = branchName === null ? token : `${token} ${branchName}`
    const now = effects.now()
    const remembered = checked.get(key)
    if (remembered && remembered.expires > now.getTime()) return remembered
    const payload = await verify(token, runtime, now)
    const platform = PlatformClaims.safeParse(payload.cubeCloud ?? {}).data
    const result = {
      caller: {
        accountId: runtime.accountId,
        deploymentId: runtime.deploymentId,
        branchName,
        securityContext: payload,
        groups: platform?.groups ?? [],
        userAttributes: platform?.userAttributes ?? {},
        scopes: new Set(Array.isArray(payload.scope) ? payload.scope.map(String) : defaultScopes),
      },
      expires: payload.exp === undefined ? Number.POSITIVE_INFINITY : payload.exp * 1000,
      environmentId: platform?.environmentId,
    }
    checked.set(key, result)
    return result
  }

  return async (runtime: DeploymentRuntime, token: DataToken): Promise<DataCaller> => {
    const { caller, environmentId } = await check(readToken(token.header), token.branchName, runtime)
    if (environmentId !== undefined && environmentId !== (await token.environmentId())) {
      throw new DataError(403, 'Invalid token: it is of another environment of this deployment')
    }
    return caller
  }
}
export type AuthenticateData = ReturnType<typeof createAuthenticateData>

/** @throws {DataError} 403 with the field's text. */
export function requireScope(caller: DataCaller, scope: string): void {
  if (!caller.scopes.has(scope)) throw new DataError(403, `API scope is missing: ${scope}`)
}
