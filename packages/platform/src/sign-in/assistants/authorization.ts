import { createHash, timingSafeEqual } from 'node:crypto'
import { authorizationCodes, oauthClients, type Store, users } from '@hedron/store'
import { type Effects, randomId } from '../../effects.ts'
import { digestOf } from '../../people/digest.ts'
import { auditVisit } from '../audit-visit.ts'
import { endLogins } from '../end-logins.ts'
import type { Logins, TokenAnswer } from '../logins.ts'
import { OAuthError } from '../oauth-error.ts'
import type { Person, Visit } from '../person.ts'
import { makeSecret, prefixes } from '../secrets.ts'
import type { Program, Programs } from './programs.ts'

/** What a program asks a person for (RFC 6749 section 4.1.1, RFC 7636, RFC 8707), as its address has it. */
export interface AuthorizationQuery {
  readonly clientId: string | undefined
  readonly redirectUri: string | undefined
  readonly responseType: string | undefined
  readonly challenge: string | undefined
  readonly challengeMethod: string | undefined
  readonly scope: string | undefined
  readonly resource: string | undefined
  readonly state: string | undefined
}

/** One that can be put before a person. */
export interface AuthorizationRequest {
  readonly program: Program
  readonly redirectUri: string
  readonly challenge: string
  readonly state: string | undefined
}

/** What a program shows for its tokens. */
export interface CodeExchange {
  readonly code: string
  readonly clientId: string
  readonly redirectUri: string | undefined
  readonly verifier: string
  readonly resource: string | undefined
}

/** It can't be put before a person; the program is told so where it may be answered. */
export class AuthorizationRefused extends OAuthError {
  readonly redirectUri: string
  readonly state: string | undefined

  constructor(cause: OAuthError, redirectUri: string, state: string | undefined) {
    super(cause.code, cause.message)
    this.redirectUri = redirectUri
    this.state = state
  }
}

interface AuthorizationNeeds {
  readonly store: Store
  readonly effects: Effects
  readonly programs: Programs
  readonly logins: Logins
  readonly baseUrl: () => string
}

/** What programs get: their user's rights, by the tools for assistants and nowhere else. */
export const assistantScope = 'mcp-agent-access'
/** How long a program may take to fetch its tokens, in milliseconds (RFC 6749 section 4.1.2: ten minutes at most). */
const lifeMs = 120_000
const longestState = 2000

/** The address that tokens of programs are good for (RFC 8707, RFC 9728). */
export const assistantResource = (baseUrl: string): string => `${baseUrl}/mcp`

/**
 * Authorization codes with PKCE, as the Model Context Protocol wants them of its servers: a person who is signed in lets a program in,
 * which exchanges the code for tokens that are good at `/mcp` alone.
 */
export function createAuthorization({ store, effects, programs, logins, baseUrl }: AuthorizationNeeds) {
  return {
    /**
     * @throws {AuthorizationRefused} of which the program may be told
     * @throws {OAuthError} where it is not known whom to tell
     */
    async read(query: AuthorizationQuery): Promise<AuthorizationRequest> {
      const program = await programs.require(query.clientId)
      const { redirectUri } = query
      if (redirectUri === undefined || !program.mayBeAnsweredAt(redirectUri)) {
        throw new OAuthError('invalid_request', 'redirect_uri is missing, or none that the program has registered.')
      }
      const state = query.state
      try {
        if (state !== undefined && state.length > longestState) {
          throw new OAuthError('invalid_request', `state is longer than ${longestState} characters.`)
        }
        return { program, redirectUri, challenge: readChallenge(query), state }
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error
        throw new AuthorizationRefused(error, redirectUri, state?.slice(0, longestState))
      }
    },

    /** A person lets a program in. @returns the code that it exchanges for its tokens */
    async allow(person: Person, request: AuthorizationRequest, visit: Visit): Promise<string> {
      const code = makeSecret(effects, 'code')
      const now = effects.now()
      const { accountId, userId, email } = person
      const { program, redirectUri, challenge } = request
      await store.transaction(async transaction => {
        await authorizationCodes.insertCode(transaction, {
          digest: digestOf(code),
          clientId: program.id,
          accountId,
          userId,
          redirectUri,
          challenge,
          createdAt: now,
          expiresAt: new Date(now.getTime() + lifeMs),
        })
        if (program.isSelfNamed) await oauthClients.touchClient(transaction, program.id, now)
        await auditVisit(transaction, visit, {
          accountId,
          at: now,
          actor: email,
          action: 'assistant.allow',
          target: `client ${program.id}`,
          details: { name: program.name, redirectUri },
        })
      })
      return code
    },

    /**
     * A code is good once: who shows one again has a copy, or is copied from, and the login that came of it ends (RFC 6749 section
     * 4.1.2).
     *
     * @throws {OAuthError} `invalid_grant`, `invalid_client`, `invalid_target`
     */
    async exchange(shown: CodeExchange, visit: Visit): Promise<TokenAnswer> {
      const program = await programs.require(shown.clientId)
      requireResource(shown.resource)
      if (!shown.code.startsWith(prefixes.code)) throw notGood()
      const tokens = await store.transaction(async transaction => {
        const code = await authorizationCodes.lockCode(transaction, digestOf(shown.code))
        if (!code || code.clientId !== program.id) return undefined
        const { accountId, userId } = code
        const now = effects.now()
        if (code.loginId !== null) {
          await endLogins(transaction, accountId, userId, code.loginId)
          const target = `login ${code.loginId}`
          await auditVisit(transaction, visit, { accountId, at: now, actor: program.id, action: 'login.reuse', target })
          return undefined
        }
        const isRight =
          code.expiresAt > now && code.redirectUri === shown.redirectUri && proves(shown.verifier, code.challenge)
        if (!isRight) return undefined
        const user = await users.findUser(transaction, accountId, userId)
        if (!user || user.isDeactivated) return undefined
        const id = randomId(effects)
        await authorizationCodes.markExchanged(transaction, code.digest, id)
        const clientName = program.isSelfNamed ? program.name : null
        const login = {
          id,
          accountId,
          userId,
          clientId: program.id,
          clientName,
          scope: assistantScope,
          seed: shown.code,
        } as const
        return logins.open(transaction, login, visit)
      })
      if (tokens === undefined) throw notGood()
      return tokens
    },
  }

  function readChallenge({ responseType, challenge, challengeMethod, scope, resource }: AuthorizationQuery): string {
    if (responseType !== 'code') throw new OAuthError('unsupported_response_type', 'response_type must be code.')
    if (challengeMethod !== 'S256' || challenge === undefined || !/^[\w-]{43}$/.test(challenge)) {
      throw new OAuthError(
        'invalid_request',
        'A code_challenge with the code_challenge_method S256 is required (RFC 7636).',
      )
    }
    requireAssistantScope(scope)
    requireResource(resource)
    return challenge
  }

  function requireResource(resource: string | undefined): void {
    const mine = assistantResource(baseUrl())
    if (resource === undefined || resource.replace(/\/$/, '') === mine) return
    throw new OAuthError('invalid_target', `resource must be ${mine}.`)
  }
}
export type Authorization = ReturnType<typeof createAuthorization>

/** What clients ask for beside, as other servers want it for a refresh token, which is given here always. */
const offlineScope = 'offline_access'

/** @throws {OAuthError} `invalid_scope` */
function requireAssistantScope(scope: string | undefined): void {
  const wanted = (scope ?? '').split(' ').filter(name => name !== '')
  if (wanted.every(name => name === assistantScope || name === offlineScope)) return
  throw new OAuthError(
    'invalid_scope',
    `The only scope for programs is "${assistantScope}": leave scope out, or send that.`,
  )
}

/** RFC 7636 section 4.6. */
function proves(verifier: string, challenge: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false
  const digest = createHash('sha256').update(verifier).digest()
  const wanted = Buffer.from(challenge, 'base64url')
  return digest.length === wanted.length && timingSafeEqual(digest, wanted)
}

const notGood = () =>
  new OAuthError('invalid_grant', 'The code is not good: unknown, expired, used before, or of another program.')
