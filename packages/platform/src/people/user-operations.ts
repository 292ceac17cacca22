import { CodedError } from '@hedron/contract'
import { type Store, users } from '@hedron/store'
import type { Operations } from '../operations.ts'
import { page } from '../page.ts'
import { showUser } from './show-user.ts'

export function createUserOperations({ store }: { store: Store }): Pick<Operations, 'getUsers' | 'getMe'> {
  return {
    async getUsers(caller, { query }) {
      const { search } = query
      const count = await users.countUsers(store.kysely, caller.accountId, search)
      const list = await page(
        'users',
        query,
        ({ limit, after }: { limit: number; after: readonly [number] | undefined }) =>
          users.listUsers(store.kysely, caller.accountId, { search, after: after?.[0], limit }),
        row => [row.id] as const,
        row => showUser(row),
      )
      return { ...list, count }
    },

    async getMe(caller) {
      const row =
        caller.userId === null ? undefined : await users.findUser(store.kysely, caller.accountId, caller.userId)
      if (!row) throw new CodedError('not_authenticated', { reason: 'This credential belongs to no user any more.' })
      // What the credential may do, which can be less than what its user may.
      return { ...showUser(row, caller.policies), isAdmin: caller.isAdmin }
    },
  }
}
