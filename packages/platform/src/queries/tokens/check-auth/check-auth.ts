import type { CheckAuth, CheckAuthOutcome } from '@hedron/semantic'
import { LRUCache } from 'lru-cache'
import { isSecretVariable } from '../../../deployments/secret-variable.ts'
import { type Effects, randomId } from '../../../effects.ts'
import { createFairThread } from '../../../threads/fair-thread.ts'
import { DataError } from '../../data-error.ts'
import { tokenErrors } from '../token-error.ts'
import type { CheckAuthAnswer, CheckAuthQuestion } from './check-auth-messages.ts'

type Claims = Readonly<Record<string, unknown>>

/** What a project's function made of a token. */
export interface ResolvedToken {
  readonly securityContext: Claims
  /** Milliseconds since 1970, as far as the tokens say that it verified and the context; Infinity where none does. */
  readonly expiresAt: number
}

export interface CheckAuthRequest {
  readonly deploymentId: number
  readonly variables: Readonly<Record<string, string>>
  readonly checkAuth: CheckAuth
  readonly header: string
  readonly token: string
}

export interface CheckAuths {
  /** @throws {DataError} 403 where the function refuses, 500 where it cannot be used, 503 where too many tokens wait */
  check(request: CheckAuthRequest): Promise<ResolvedToken>
  close(): Promise<void>
}

interface CheckAuthsNeed {
  readonly effects: Effects
  /** How long one function may take. */
  readonly deadlineMilliseconds?: number
}

/** A function that ended the thread is not tried again for so long: others have to wait while a thread starts. */
const pauseMs = 10_000
const deepest = 32

/**
 * Checks tokens by the `checkAuth` of a project, in a thread of its own. Each call has a sandbox of its own. Variables whose values are
 * never shown do not enter it: in their place stands a text that nobody can guess, which `verify` of `jsonwebtoken` takes for the key.
 */
export function createCheckAuths({ effects, deadlineMilliseconds = 2000 }: CheckAuthsNeed): CheckAuths {
  const thread = createFairThread<CheckAuthQuestion, CheckAuthAnswer>({
    program: new URL('./check-auth-worker.ts', import.meta.url),
    name: 'check-auth',
    deadlineMilliseconds,
    startMilliseconds: 30_000,
    idleMilliseconds: 10 * 60_000,
    memoryMebibytes: 256,
    waiting: { total: 1000, ofOwner: 100 },
  })
  const paused = new LRUCache<string, string>({ max: 1000, ttl: pauseMs })

  async function check({
    deploymentId,
    variables,
    checkAuth,
    header,
    token,
  }: CheckAuthRequest): Promise<ResolvedToken> {
    const name = `${deploymentId} ${checkAuth.script}`
    const pause = paused.get(name)
    if (pause !== undefined) throw unusable(checkAuth, pause)
    const now = effects.now().getTime()
    const environment = environmentOf(variables, randomId(effects))
    const asked = await thread.ask(deploymentId, { checkAuth, header, token, now, ...environment })
    switch (asked.kind) {
      case 'busy':
      case 'closed':
        throw tokenErrors.tooMany()
      case 'slow':
      case 'large': {
        const reason =
          asked.kind === 'slow' ? `it took more than ${deadlineMilliseconds / 1000} s` : 'it needs too much memory'
        paused.set(name, reason)
        throw unusable(checkAuth, reason)
      }
      case 'answer': {
        const { answer } = asked
        if ('fault' in answer) throw answer.fault
        const securityContext = readContext(checkAuth, answer.outcome)
        const { exp } = securityContext
        const ends = typeof exp === 'number' ? Math.min(exp, answer.endsAt) : answer.endsAt
        return { securityContext, expiresAt: ends * 1000 }
      }
    }
  }

  return { check, close: () => thread.close() }
}

const unusable = ({ file }: CheckAuth, reason: string) =>
  new DataError(500, `Error: tokens cannot be checked: checkAuth in ${file} cannot be used: ${reason}`)

/** @param nonce of one call: what stands for a secret there is worth nothing in another */
function environmentOf(variables: Readonly<Record<string, string>>, nonce: string) {
  const env: Record<string, string> = {}
  const secrets = new Map<string, string>()
  for (const [name, value] of Object.entries(variables)) {
    if (value === '' || !isSecretVariable(name)) {
      env[name] = value
    } else {
      env[name] = `secret ${nonce} ${name}`
      secrets.set(env[name], value)
    }
  }
  return { env, secrets }
}

function readContext(checkAuth: CheckAuth, outcome: CheckAuthOutcome): Claims {
  if (outcome.kind === 'refused') throw new DataError(403, outcome.message.trim() || 'Invalid token')
  if (outcome.kind === 'fault') throw unusable(checkAuth, outcome.reason)
  const context = parse(outcome.json)
  if (context === undefined || isDeeper(context, deepest)) {
    throw unusable(checkAuth, `the security context is nested more than ${deepest} deep`)
  }
  return Object.fromEntries(Object.entries(context))
}

/** Undefined where it is nested too deeply to be read. */
function parse(json: string): object | undefined {
  try {
    // Whoever copies this name changes what all objects inherit.
    return JSON.parse(json, (key, value: unknown) => (key === '__proto__' ? undefined : value))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some(inner => isDeeper(inner, levels - 1))
}
