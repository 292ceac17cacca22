import { CodedError } from '@hedron/contract'
import { logins, type Store } from '@hedron/store'
import type { Caller } from '../caller.ts'
import type { Effects } from '../effects.ts'
import { digestOf } from '../people/digest.ts'
import { effectivePolicies } from '../people/roles/effective-policies.ts'
import { loginCredential } from './end-logins.ts'
import { prefixes } from './secrets.ts'

/** Whether a secret is an access token of a login; whether it is good for anything is not said. */
export const isAccessToken = (secret: string): boolean => secret.startsWith(prefixes.access)

/** How often the last use of a login is written, in milliseconds. */
const touchMs = 60_000

/**
 * Finds out who bears an access token (`Authorization: Bearer hda_…`): the user who let the program in, with the rights that he has
 * now. Token, login and user are read at every request, in one statement, so that what ended or changed holds from the next one on.
 *
 * A token of a program that was let in for the tools for assistants is good for those alone: whoever takes one of it can't do with it
 * what else its user may.
 *
 * @param at where the token is shown
 * @throws {CodedError} `not_authenticated`, the same whatever is wrong with the token.
 */
export function createAuthenticateLogin({ store, effects }: { store: Store; effects: Effects }) {
  return async (accessToken: string, at: 'platform' | 'assistants'): Promise<Caller> => {
    const token = await logins.findToken(store.kysely, digestOf(accessToken))
    const now = effects.now()
    const isGood = token?.kind === 'access' && !token.isDeactivated && token.expiresAt > now && token.endsAt > now
    const isMeant = token?.scope === 'all' || at === 'assistants'
    if (!token || !isGood || !isMeant) {
      throw new CodedError('not_authenticated', {
        reason: 'The access token is not valid here: unknown, expired, its login ended, or it is for /mcp alone.',
      })
    }
    const { accountId, userId, loginId, isAdmin } = token
    if (now.getTime() - token.usedAt.getTime() > touchMs) {
      await logins.touchLogin(store.kysely, accountId, loginId, now)
    }
    return {
      accountId,
      userId,
      name: token.firstName ?? token.username,
      email: token.email ?? '',
      isAdmin,
      policies: isAdmin ? [] : await effectivePolicies(store.kysely, accountId, userId),
      deploymentScope: null,
      credential: loginCredential(loginId),
      embed: null,
    }
  }
}
