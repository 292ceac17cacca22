import { CodedError } from '@hedron/contract'
import { signInLinks, users } from '@hedron/store'
import { requireAdmin } from '../access.ts'
import type { Operations } from '../operations.ts'
import { digestOf } from '../people/digest.ts'
import type { PeopleNeed } from '../people/people-need.ts'
import { makeSecret } from './secrets.ts'

/** How long a link is good, in milliseconds. */
const lifeMs = 24 * 3_600_000

/** Links by which a person chooses his first password, or a new one: there is no mail to send them by. */
export function createSignInLinkOperations(
  need: PeopleNeed & { readonly baseUrl: () => string },
): Pick<Operations, 'createSignInLink'> {
  const { store, effects, audit, baseUrl } = need
  return {
    async createSignInLink(caller, { params: { id } }, context) {
      requireAdmin(caller)
      const { accountId } = caller
      const secret = makeSecret(effects, 'link')
      const createdAt = effects.now()
      const expiresAt = new Date(createdAt.getTime() + lifeMs)
      await store.transaction(async transaction => {
        await users.lockUser(transaction, accountId, id)
        const user = await users.findUser(transaction, accountId, id)
        if (!user) throw new CodedError('user_not_found', { id })
        if (user.externalId !== null) throw new CodedError('user_is_external', { id })
        if (user.isDeactivated) throw new CodedError('user_deactivated', { id })
        const digest = digestOf(secret)
        await signInLinks.replaceSignInLink(transaction, { digest, accountId, userId: id, createdAt, expiresAt })
        await audit(transaction, caller, context, 'user.sign-in-link', `user ${id}`)
      })
      return { url: `${baseUrl()}/auth/link/${secret}`, expiresAt: expiresAt.toISOString() }
    },
  }
}
