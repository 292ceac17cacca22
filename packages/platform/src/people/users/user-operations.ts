import { CodedError } from '@hedron/contract'
import { roles, type Store, users } from '@hedron/store'
import type { Operations } from '../../operations.ts'
import { page } from '../../page.ts'
import { showUser } from './show-user.ts'

export function createUserOperations({ store }: { store: Store }): Pick<Operations, 'getUsers' | 'getMe'> {
  return {
    async getUsers(caller, { query }) {
      const { search } = query
      const { accountId } = caller
      const count = await users.countUsers(store.kysely, accountId, search)
      const list = await page(
        'users',
        query,
        async ({ limit, after }: { limit: number; after: readonly [number] | undefined }) => {
          const rows = await users.listUsers(store.kysely, accountId, { search, after: after?.[0], limit })
          const names = await roles.roleNamesOf(
            store.kysely,
            accountId,
            rows.map(({ id }) => id),
          )
          return rows.map(row => ({ row, roleNames: names.get(row.id) ?? [] }))
        },
        ({ row }) => [row.id] as const,
        ({ row, roleNames }) => showUser(row, { roleNames }),
      )
      return { ...list, count }
    },

    async getMe({ accountId, userId, policies, isAdmin, embed }) {
      const row = userId === null ? undefined : await users.findUser(store.kysely, accountId, userId)
      if (!row) throw new CodedError('not_authenticated', { reason: 'This credential belongs to no user any more.' })
      const names = await roles.roleNamesOf(store.kysely, accountId, [row.id])
      // What the credential may do, which can be less than what its user may.
      const roleNames = [...(names.get(row.id) ?? []), ...(embed?.roles ?? [])]
      return { ...showUser(row, { roleNames, policies }), isAdmin }
    },
  }
}
