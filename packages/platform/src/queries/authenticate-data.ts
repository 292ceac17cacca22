import type { CheckAuth } from '@hedron/semantic'
import { LRUCache } from 'lru-cache'
import type { Effects } from '../effects.ts'
import { type Soon, whenThere } from '../soon.ts'
import type { DataCaller } from './data-caller.ts'
import { DataError } from './data-error.ts'
import type { DeploymentRuntime } from './deployment-runtime.ts'
import type { CheckAuths, ResolvedToken } from './tokens/check-auth/check-auth.ts'
import { createKeySets } from './tokens/key-sets.ts'
import { readContents, type TokenContents } from './tokens/security-context.ts'
import { tokenErrors } from './tokens/token-error.ts'
import { scopesOf } from './tokens/token-scopes.ts'
import type { TokenSettings } from './tokens/token-settings.ts'
import { type VerifiedToken, verifyPlatformToken, verifyPlaygroundToken, verifyToken } from './tokens/verify-token.ts'

export interface DataToken {
  /** The token of `x-cube-authorization`, else of `Authorization`: the one word, or the second of two. */
  readonly header: string | undefined
  readonly branchName: string | null
  /** How the model of the branch has tokens checked; undefined: as the deployment's variables say. */
  readonly findCheckAuth: () => Soon<CheckAuth | undefined>
  /** Id of the environment that the address names; an environment's tokens are valid there alone. */
  readonly environmentId: () => Soon<number>
}

/** Takes the token out of its header. @throws {DataError} 403 with the field's text when there is none. */
export function readToken(header: string | undefined): string {
  const words = header?.trim().split(/\s+/) ?? []
  const token = words.length > 1 ? words[1] : words[0]
  if (!token) throw tokenErrors.missing()
  return token
}

/** A token that was checked: who bears it, until when, and for which environment alone it is valid. */
interface Checked {
  readonly caller: DataCaller
  /** What is known to be said by it: its payload, or the context that a project's function made of it. */
  readonly claims: Readonly<Record<string, unknown>>
  /** Milliseconds since 1970; Infinity where it says nothing of that. */
  readonly expiresAt: number
  readonly environmentId: number | undefined
}

/** Who bears a token. */
export type Bearer = Omit<Checked, 'environmentId'>

/** Characters of tokens that are remembered for one deployment. */
const rememberedSize = 4 * 1024 * 1024
const tokenMemory = { maxSize: rememberedSize, sizeCalculation: (_: Remembered, token: string) => 500 + token.length }

/** What was found of a token, by which function of the project. */
interface Remembered {
  readonly checkAuth: CheckAuth | undefined
  /** At once when it is there. */
  checked: Soon<Checked>
  /** Infinity while it is being checked. */
  expiresAt: number
}

interface AuthenticateNeeds {
  readonly effects: Effects
  readonly checkAuths: Pick<CheckAuths, 'check'>
  /** Told why an identity provider's keys could not be read. */
  readonly report: (error: unknown) => void
}

/**
 * Checks data-API tokens (contract/behaviour/query.md section 2): by the `checkAuth` of the project where it has one, else as the
 * deployment's variables say; tokens of the platform are its own. What a token says is remembered until it expires or the
 * deployment is read again, which is every other second and whenever a variable changes: so a busy client pays once and is the same caller
 * each time, and a key or secret that was taken off ends what was remembered by it. A refusal is remembered alike.
 */
export function createAuthenticateData({ effects, checkAuths, report }: AuthenticateNeeds) {
  const known = new WeakMap<DeploymentRuntime, LRUCache<string, Remembered>>()
  const keySets = createKeySets({ effects, report })

  const check = (asked: DataToken, runtime: DeploymentRuntime): Soon<Checked> => {
    const token = readToken(asked.header)
    return whenThere(asked.findCheckAuth(), checkAuth => {
      let memory = known.get(runtime)
      if (memory === undefined) {
        memory = new LRUCache<string, Remembered>(tokenMemory)
        known.set(runtime, memory)
      }
      const key = asked.branchName === null ? token : `${token} ${asked.branchName}`
      const remembered = memory.get(key)
      if (remembered && remembered.checkAuth === checkAuth && remembered.expiresAt > effects.now().getTime()) {
        return remembered.checked
      }
      const { branchName, header = '' } = asked
      const checked = read({ header, token, branchName, checkAuth }, runtime)
      const entry: Remembered = { checkAuth, checked, expiresAt: Number.POSITIVE_INFINITY }
      memory.set(key, entry)
      return settle(entry, checked, () => {
        if (memory.get(key) === entry) memory.delete(key)
      })
    })
  }

  /** Keeps what was found, and a function's refusal: it is not asked the same by whoever tries again and again. */
  async function settle(entry: Remembered, checking: Promise<Checked>, forget: () => void): Promise<Checked> {
    try {
      const checked = await checking
      entry.checked = checked
      entry.expiresAt = checked.expiresAt
      return checked
    } catch (error) {
      const isAnswer = entry.checkAuth !== undefined && error instanceof DataError && error.status === 403
      if (!isAnswer) forget()
      throw error
    }
  }

  async function read(given: Given, runtime: DeploymentRuntime): Promise<Checked> {
    try {
      return checkedOf(await find(given, runtime), given, runtime)
    } catch (error) {
      // Whoever holds the playground secret is let in whatever else is configured, as in the field.
      const payload = await verifyPlaygroundToken(given.token, { settings: runtime.tokens, now: effects.now() })
      if (payload === undefined) throw error
      const known = knownOf({ payload, isOfPlatform: false }, runtime.tokens)
      const { caller, ...checked } = checkedOf(known, given, runtime)
      return { ...checked, caller: { ...caller, isPlayground: true } }
    }
  }

  async function find({ header, token, checkAuth }: Given, runtime: DeploymentRuntime): Promise<Known> {
    const { deploymentId, tokens: settings, variables } = runtime
    const now = effects.now()
    const isOurs = checkAuth !== undefined && (await verifyPlatformToken(token, { settings, now })) !== undefined
    const ask = checkAuth !== undefined && !isOurs
    return ask
      ? resolved(checkAuths.check({ deploymentId, variables, checkAuth, header, token }))
      : knownOf(await verifyToken(token, { settings, keySets, deploymentId, now }), settings)
  }

  function checkedOf(
    { claims, contents, expiresAt }: Known,
    { branchName }: Given,
    { accountId, deploymentId, tokens: settings }: DeploymentRuntime,
  ): Checked {
    const { securityContext, platform } = contents
    const { groups, userAttributes, environmentId } = platform
    const scopes = scopesOf(claims.scope, settings.scopes)
    return {
      caller: { accountId, deploymentId, branchName, securityContext, groups, userAttributes, scopes },
      claims,
      expiresAt,
      environmentId,
    }
  }

  return (runtime: DeploymentRuntime, token: DataToken): Soon<Bearer> =>
    whenThere(check(token, runtime), bearer => {
      if (bearer.environmentId === undefined) return bearer
      return whenThere(token.environmentId(), named => {
        if (named !== bearer.environmentId) throw tokenErrors.otherEnvironment()
        return bearer
      })
    })
}
export type AuthenticateData = ReturnType<typeof createAuthenticateData>

interface Given {
  readonly header: string
  readonly token: string
  readonly branchName: string | null
  readonly checkAuth: CheckAuth | undefined
}

/** What there is to know of a token, whoever found it out. */
interface Known {
  readonly claims: Readonly<Record<string, unknown>>
  readonly contents: TokenContents
  readonly expiresAt: number
}

/** What a function gives is the security context, all of it: the claim that one would be under is for payloads. */
async function resolved(resolving: Promise<ResolvedToken>): Promise<Known> {
  const { securityContext, expiresAt } = await resolving
  const { platform } = readContents(securityContext, { claimsNamespace: null }, false)
  return { claims: securityContext, contents: { securityContext, platform }, expiresAt }
}

function knownOf({ payload, isOfPlatform }: VerifiedToken, settings: TokenSettings): Known {
  const expiresAt = payload.exp === undefined ? Number.POSITIVE_INFINITY : payload.exp * 1000
  return { claims: payload, contents: readContents(payload, settings, isOfPlatform), expiresAt }
}

/** @throws {DataError} 403 with the field's text. */
export function requireScope(caller: DataCaller, scope: string): void {
  if (!caller.scopes.has(scope)) throw new DataError(403, `API scope is missing: ${scope}`)
}
