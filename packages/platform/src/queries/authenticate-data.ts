import { LRUCache } from 'lru-cache'
import type { Effects } from '../effects.ts'
import { type Soon, whenThere } from '../soon.ts'
import type { DataCaller } from './data-caller.ts'
import { DataError } from './data-error.ts'
import type { DeploymentRuntime } from './deployment-runtime.ts'
import { createKeySets } from './tokens/key-sets.ts'
import { readContents } from './tokens/security-context.ts'
import { tokenErrors } from './tokens/token-error.ts'
import { scopesOf } from './tokens/token-scopes.ts'
import { verifyToken } from './tokens/verify-token.ts'

export interface DataToken {
  /** The token of `x-cube-authorization`, else of `Authorization`: the one word, or the second of two. */
  readonly header: string | undefined
  readonly branchName: string | null
  /** Id of the environment that the address names; an environment's tokens are valid there alone. */
  readonly environmentId: () => Soon<number>
}

/** Takes the token out of its header. @throws {DataError} 403 with the field's text when there is none. */
function readToken(header: string | undefined): string {
  const words = header?.trim().split(/\s+/) ?? []
  const token = words.length > 1 ? words[1] : words[0]
  if (!token) throw tokenErrors.missing()
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

interface AuthenticateNeeds {
  readonly effects: Effects
  /** Told why an identity provider's keys could not be read. */
  readonly report: (error: unknown) => void
}

/**
 * Checks data-API tokens (contract/behaviour/query.md section 2). What a token says is remembered until it expires or the
 * deployment is read again, which is every other second and whenever a variable changes: so a busy client pays once and is the same caller
 * each time, and a key or secret that was taken off ends what was remembered by it.
 */
export function createAuthenticateData({ effects, report }: AuthenticateNeeds) {
  const known = new WeakMap<DeploymentRuntime, LRUCache<string, Checked>>()
  const keySets = createKeySets({ effects, report })

  function check(token: string, branchName: string | null, runtime: DeploymentRuntime): Soon<Checked> {
    let checked = known.get(runtime)
    if (checked === undefined) {
      checked = new LRUCache<string, Checked>(tokenMemory)
      known.set(runtime, checked)
    }
    const key = branchName === null ? token : `${token} ${branchName}`
    const now = effects.now()
    const remembered = checked.get(key)
    if (remembered && remembered.expires > now.getTime()) return remembered
    const remember = checked
    return verify(token, branchName, runtime, now).then(result => {
      remember.set(key, result)
      return result
    })
  }

  async function verify(
    token: string,
    branchName: string | null,
    runtime: DeploymentRuntime,
    now: Date,
  ): Promise<Checked> {
    const { accountId, deploymentId, tokens: settings } = runtime
    const { payload, isOfPlatform } = await verifyToken(token, { settings, keySets, deploymentId, now })
    const { securityContext, platform } = readContents(payload, settings, isOfPlatform)
    const { groups, userAttributes, environmentId } = platform
    const scopes = scopesOf(payload.scope, settings.scopes)
    return {
      caller: { accountId, deploymentId, branchName, securityContext, groups, userAttributes, scopes },
      expires: payload.exp === undefined ? Number.POSITIVE_INFINITY : payload.exp * 1000,
      environmentId,
    }
  }

  return (runtime: DeploymentRuntime, token: DataToken): Soon<DataCaller> =>
    whenThere(check(readToken(token.header), token.branchName, runtime), ({ caller, environmentId }) => {
      if (environmentId === undefined) return caller
      return whenThere(token.environmentId(), named => {
        if (named !== environmentId) throw tokenErrors.otherEnvironment()
        return caller
      })
    })
}
export type AuthenticateData = ReturnType<typeof createAuthenticateData>

/** @throws {DataError} 403 with the field's text. */
export function requireScope(caller: DataCaller, scope: string): void {
  if (!caller.scopes.has(scope)) throw new DataError(403, `API scope is missing: ${scope}`)
}
