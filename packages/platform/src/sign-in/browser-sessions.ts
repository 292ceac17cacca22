import { accounts, type Store, signInLinks, signIns, users } from '@hedron/store'
import { type Effects, randomId } from '../effects.ts'
import { digestOf } from '../people/digest.ts'
import { hashPassword, verifyPassword } from '../people/password.ts'
import type { Attempts } from './attempts.ts'
import { auditVisit } from './audit-visit.ts'
import { endLogins } from './end-logins.ts'
import { type Person, shownAgent, type Visit } from './person.ts'
import { makeSecret, prefixes } from './secrets.ts'

export interface SessionLimits {
  /** After how long without a request somebody is signed out, in milliseconds. */
  readonly idleMs: number
  /** How long somebody stays signed in at most, in milliseconds. */
  readonly longestMs: number
}

/** The cookie's secret, which is kept nowhere else, and when it ends. */
export interface NewSession {
  readonly secret: string
  readonly endsAt: Date
}

export type SignInOutcome =
  | { readonly kind: 'signed-in'; readonly session: NewSession }
  | { readonly kind: 'refused' }
  | { readonly kind: 'wait'; readonly seconds: number }

export type PasswordOutcome = 'changed' | 'refused' | 'same' | { readonly kind: 'wait'; readonly seconds: number }

interface SessionsNeed {
  readonly store: Store
  readonly effects: Effects
  readonly attempts: Attempts
  readonly limits: SessionLimits
}

/** How often it is written that somebody is still there, in milliseconds. */
const touchMs = 60_000

/** Who is signed in to the pages (docs/sign-in.md): one row a browser, found by the digest of the secret in its cookie. */
export function createBrowserSessions({ store, effects, attempts, limits }: SessionsNeed) {
  return {
    /**
     * Checks e-mail address and password. Whatever is wrong, it takes as long and says the same; so does a user who is deactivated
     * or has no password.
     *
     * @param replaced the secret of the session that the browser holds now, which ends.
     */
    async signIn(
      given: { readonly account: string; readonly email: string; readonly password: string },
      visit: Visit,
      replaced: string | null,
    ): Promise<SignInOutcome> {
      const email = given.email.trim().toLowerCase()
      const address = visit.address ?? ''
      const waits = [
        await attempts.count('password of address', given.account, email, address),
        await attempts.count('address', address),
        await attempts.count('password', given.account, email),
      ]
      const seconds = Math.max(...waits)
      if (seconds > 0) return { kind: 'wait', seconds }

      const account = await accounts.findAccountByName(store.kysely, given.account)
      const user = account && (await users.findUserByEmail(store.kysely, account.id, email))
      const isRight = await verifyPassword(given.password, user?.passwordHash ?? null)
      const target = user === undefined ? 'user unknown' : `user ${user.id}`
      if (!user || !isRight || user.isDeactivated) {
        if (account) {
          await auditVisit(store.kysely, visit, {
            accountId: account.id,
            at: effects.now(),
            actor: 'nobody',
            action: 'sign-in.refuse',
            target,
            details: user === undefined ? {} : { reason: isRight ? 'deactivated' : 'password' },
          })
        }
        return { kind: 'refused' }
      }
      await attempts.forget('password of address', given.account, email, address)
      if (replaced !== null) await signIns.deleteSignIn(store.kysely, digestOf(replaced))
      return { kind: 'signed-in', session: await open(user, visit) }
    },

    /** Who holds the secret; undefined where it is unknown or over. */
    async find(secret: string | null): Promise<Person | undefined> {
      if (secret === null || !secret.startsWith(prefixes.session)) return undefined
      const row = await signIns.findSignIn(store.kysely, digestOf(secret))
      const now = effects.now()
      if (!row || row.isDeactivated || row.endsAt <= now) return undefined
      const idle = now.getTime() - row.seenAt.getTime()
      if (idle >= limits.idleMs) return undefined
      if (idle > Math.min(touchMs, limits.idleMs / 10)) {
        await signIns.touchSignIn(store.kysely, row.accountId, row.id, now)
      }
      const { accountId, accountName, userId, email, isAdmin, id } = row
      return {
        accountId,
        accountName,
        userId,
        email: email ?? '',
        name: row.firstName ?? row.username,
        isAdmin,
        signInId: id,
      }
    },

    async signOut(secret: string): Promise<void> {
      await signIns.deleteSignIn(store.kysely, digestOf(secret))
    },

    /** Changes the password of who knows it, and ends every other session and login of his. */
    async changePassword(person: Person, current: string, next: string, visit: Visit): Promise<PasswordOutcome> {
      const { accountId, userId } = person
      const key = [person.accountName, person.email.toLowerCase(), visit.address ?? ''] as const
      const seconds = await attempts.count('password of address', ...key)
      if (seconds > 0) return { kind: 'wait', seconds }
      const user = await users.findUser(store.kysely, accountId, userId)
      if (!(await verifyPassword(current, user?.passwordHash ?? null))) return 'refused'
      await attempts.forget('password of address', ...key)
      if (current === next) return 'same'
      await setPassword(person, next, visit, 'user.password', person.signInId)
      return 'changed'
    },

    /** Whom a one-time link is for; undefined where it is unknown, used or over. */
    async findLink(token: string, visit: Visit) {
      if (!token.startsWith(prefixes.link)) return undefined
      if ((await attempts.count('link', visit.address ?? '')) > 0) return undefined
      const link = await signInLinks.findSignInLink(store.kysely, digestOf(token), effects.now())
      return link === undefined || link.isDeactivated ? undefined : { email: link.email ?? link.username }
    },

    /** Sets the password of whom the link is for and signs him in. The link is good for nothing afterwards. */
    async useLink(token: string, password: string, visit: Visit): Promise<NewSession | undefined> {
      const link = await signInLinks.findSignInLink(store.kysely, digestOf(token), effects.now())
      if (!link || link.isDeactivated) return undefined
      const { accountId, userId } = link
      const person = { accountId, userId, email: link.email ?? link.username }
      if (!(await setPassword(person, password, visit, 'user.password-by-link', null, digestOf(token))))
        return undefined
      return open({ accountId, id: userId, email: link.email }, visit)
    },
  }

  /** @returns false where the link was used meanwhile. */
  async function setPassword(
    { accountId, userId, email }: Pick<Person, 'accountId' | 'userId' | 'email'>,
    password: string,
    visit: Visit,
    action: string,
    keptSignIn: string | null,
    link?: Buffer,
  ): Promise<boolean> {
    const hash = hashPassword(password, effects)
    return store.transaction(async transaction => {
      if (link !== undefined && !(await signInLinks.deleteSignInLink(transaction, link))) return false
      await users.setPasswordHash(transaction, accountId, userId, hash)
      await signIns.deleteSignInsOf(transaction, accountId, userId, keptSignIn)
      await endLogins(transaction, accountId, userId)
      await auditVisit(transaction, visit, {
        accountId,
        at: effects.now(),
        actor: email,
        action,
        target: `user ${userId}`,
      })
      return true
    })
  }

  async function open(
    user: { readonly accountId: number; readonly id: number; readonly email: string | null },
    visit: Visit,
  ): Promise<NewSession> {
    const secret = makeSecret(effects, 'session')
    const now = effects.now()
    const endsAt = new Date(now.getTime() + limits.longestMs)
    const { accountId, id: userId } = user
    await store.transaction(async transaction => {
      await signIns.insertSignIn(transaction, {
        id: randomId(effects),
        accountId,
        userId,
        digest: digestOf(secret),
        address: visit.address,
        agent: shownAgent(visit.agent),
        createdAt: now,
        seenAt: now,
        endsAt,
      })
      await users.touchLastLogin(transaction, accountId, userId, now)
      const actor = user.email ?? `user ${userId}`
      await auditVisit(transaction, visit, {
        accountId,
        at: now,
        actor,
        action: 'sign-in.ok',
        target: `user ${userId}`,
      })
    })
    return { secret, endsAt }
  }
}
export type BrowserSessions = ReturnType<typeof createBrowserSessions>
