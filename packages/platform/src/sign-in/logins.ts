import { type Executor, type LoginScope, logins, type Store } from '@hedron/store'
import { type Effects, randomId } from '../effects.ts'
import { digestOf } from '../people/digest.ts'
import { auditVisit } from './audit-visit.ts'
import { endLogins } from './end-logins.ts'
import { OAuthError } from './oauth-error.ts'
import { type Person, shownAgent, type Visit } from './person.ts'
import { type DeriveSecret, prefixes } from './secrets.ts'

export interface LoginLimits {
  /** How long an access token is good, in milliseconds. */
  readonly accessMs: number
  /** How long a login lasts without being used, in milliseconds. */
  readonly unusedMs: number
}

/** The answer of RFC 6749 section 5.1. */
export interface TokenAnswer {
  readonly access_token: string
  readonly token_type: 'Bearer'
  /** Seconds. */
  readonly expires_in: number
  readonly refresh_token: string
  readonly scope: string
}

/** A program that a person let in. */
export interface NewLogin {
  readonly accountId: number
  readonly userId: number
  readonly clientId: string
  /** Null: a program that is known here. */
  readonly clientName: string | null
  readonly scope: LoginScope
  /** The secret that was exchanged for the tokens: they are made of it. */
  readonly seed: string
  /** Default: a new one. */
  readonly id?: string
}

interface LoginsNeed {
  readonly store: Store
  readonly effects: Effects
  readonly derive: DeriveSecret
  readonly limits: LoginLimits
}

/** How long an answer that did not arrive can be asked for again, in milliseconds. */
export const lostAnswerMs = 30_000
/** How long a login lasts at most, in milliseconds. */
const longestMs = 180 * 24 * 3_600_000

const invalid = () =>
  new OAuthError(
    'invalid_grant',
    'The refresh token is not valid: unknown, expired, ended or used before. Log in again.',
  )

/**
 * Logins of programs: each is a family of tokens, and each refresh token is good for one exchange (RFC 9700 section 4.14.2). Who shows
 * one a second time has a copy, or is copied from: the login ends, for both.
 *
 * Not so for whom the answer got lost: the tokens that follow a refresh token are made of it, so the same program at the same address
 * gets the same ones again within 30 seconds, unless they were exchanged already.
 */
export function createLogins({ store, effects, derive, limits }: LoginsNeed) {
  return {
    /** Opens a login. */
    async open(transaction: Executor, login: NewLogin, visit: Visit): Promise<TokenAnswer> {
      const { accountId, userId, clientId, clientName, scope, seed } = login
      const id = login.id ?? randomId(effects)
      const now = effects.now()
      await logins.insertLogin(transaction, {
        id,
        accountId,
        userId,
        clientId,
        clientName,
        scope,
        address: visit.address,
        agent: shownAgent(visit.agent),
        createdAt: now,
        usedAt: now,
        endsAt: new Date(now.getTime() + longestMs),
      })
      const loginEndsAt = new Date(now.getTime() + longestMs)
      return issue(transaction, { accountId, loginId: id, seed, scope, loginEndsAt })
    },

    again,

    /**
     * @param scope undefined: as the login has it
     * @throws {OAuthError} `invalid_grant`; `invalid_scope` for another than the login is good for.
     */
    async refresh(
      refreshToken: string,
      clientId: string,
      visit: Visit,
      scope: LoginScope | undefined,
    ): Promise<TokenAnswer> {
      if (!refreshToken.startsWith(prefixes.refresh)) throw invalid()
      const answer = await store.transaction(async transaction => {
        const token = await logins.lockToken(transaction, digestOf(refreshToken))
        const now = effects.now()
        if (token?.kind !== 'refresh' || token.clientId !== clientId) return undefined
        if (token.isDeactivated || token.expiresAt <= now || token.endsAt <= now) return undefined
        if (scope !== undefined && scope !== token.scope) {
          throw new OAuthError('invalid_scope', `The login is good for ${token.scope}, and that can't change.`)
        }
        const { accountId, loginId } = token
        if (token.rotatedAt === null) {
          await logins.markRotated(transaction, token.digest, { rotatedAt: now, rotatedFor: visit.address })
          await logins.touchLogin(transaction, accountId, loginId, now)
          return issue(transaction, {
            accountId,
            loginId,
            seed: refreshToken,
            scope: token.scope,
            loginEndsAt: token.endsAt,
          })
        }
        const isFresh = now.getTime() - token.rotatedAt.getTime() <= lostAnswerMs
        const repeated =
          isFresh && token.rotatedFor === visit.address ? await again(transaction, refreshToken) : undefined
        if (repeated !== undefined) return repeated
        await endLogins(transaction, accountId, token.userId, loginId)
        await auditVisit(transaction, visit, {
          accountId,
          at: now,
          actor: token.email ?? `user ${token.userId}`,
          action: 'login.reuse',
          target: `login ${loginId}`,
          details: { rotatedAt: token.rotatedAt, rotatedFor: token.rotatedFor },
        })
        return undefined
      })
      if (answer === undefined) throw invalid()
      return answer
    },

    /** Ends the login of a token of either kind (RFC 7009); one that is unknown is ended already. */
    async revoke(token: string, clientId: string, visit: Visit): Promise<void> {
      await store.transaction(async transaction => {
        const row = await logins.lockToken(transaction, digestOf(token))
        if (!row || row.clientId !== clientId) return
        await endLogins(transaction, row.accountId, row.userId, row.loginId)
        await auditVisit(transaction, visit, {
          accountId: row.accountId,
          at: effects.now(),
          actor: row.email ?? `user ${row.userId}`,
          action: 'login.end',
          target: `login ${row.loginId}`,
        })
      })
    },

    /** What the person is logged in with, newest first. */
    list: (person: Person) => logins.listLogins(store.kysely, person.accountId, person.userId, effects.now()),

    /** Ends one of his own. @returns whether there was such a one. */
    async end(person: Person, loginId: string, visit: Visit): Promise<boolean> {
      const { accountId, userId, email } = person
      return store.transaction(async transaction => {
        const ids = await endLogins(transaction, accountId, userId, loginId)
        for (const id of ids) {
          const target = `login ${id}`
          await auditVisit(transaction, visit, {
            accountId,
            at: effects.now(),
            actor: email,
            action: 'login.end',
            target,
          })
        }
        return ids.length > 0
      })
    },
  }

  async function issue(
    transaction: Executor,
    login: {
      readonly accountId: number
      readonly loginId: string
      readonly seed: string
      readonly scope: LoginScope
      readonly loginEndsAt: Date
    },
  ): Promise<TokenAnswer> {
    const { accountId, loginId, seed, scope, loginEndsAt } = login
    const now = effects.now()
    const within = (milliseconds: number) => new Date(Math.min(now.getTime() + milliseconds, loginEndsAt.getTime()))
    const access = derive('access', seed)
    const refresh = derive('refresh', seed)
    const common = { accountId, loginId, createdAt: now }
    const expiresAt = within(limits.accessMs)
    await logins.insertTokens(transaction, [
      { ...common, kind: 'access', digest: digestOf(access), expiresAt },
      { ...common, kind: 'refresh', digest: digestOf(refresh), expiresAt: within(limits.unusedMs) },
    ])
    return answerOf(access, refresh, scope, expiresAt)
  }

  /** The tokens that were made of `seed`, once more; undefined where they are not there any more, or were exchanged. */
  async function again(transaction: Executor, seed: string): Promise<TokenAnswer | undefined> {
    const access = derive('access', seed)
    const refresh = derive('refresh', seed)
    const next = await logins.findToken(transaction, digestOf(refresh))
    const current = await logins.findToken(transaction, digestOf(access))
    if (!next || !current || next.rotatedAt !== null || next.isDeactivated) return undefined
    return answerOf(access, refresh, current.scope, current.expiresAt)
  }

  function answerOf(access: string, refresh: string, scope: LoginScope, accessEndsAt: Date): TokenAnswer {
    const left = accessEndsAt.getTime() - effects.now().getTime()
    return {
      access_token: access,
      token_type: 'Bearer',
      expires_in: Math.max(0, Math.floor(left / 1000)),
      refresh_token: refresh,
      scope,
    }
  }
}
export type Logins = ReturnType<typeof createLogins>
