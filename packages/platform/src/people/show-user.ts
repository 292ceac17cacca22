import type { Policy, User } from '@hedron/contract'
import type { users } from '@hedron/store'

/** A user as the API shows it. `policies` are the effective ones, given for the caller alone. */
export function showUser(row: users.UserRow, policies?: readonly Policy[]): User {
  return {
    id: row.id,
    email: row.email ?? '',
    username: row.username,
    firstName: row.firstName,
    picture: row.picture,
    title: row.title,
    externalId: row.externalId,
    isAdmin: row.isAdmin,
    isDeactivated: row.isDeactivated,
    defaultRoles: row.isAdmin ? ['Admin'] : [],
    notifications: row.notifications,
    settings: row.settings,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    lastLogin: row.lastLoginAt?.toISOString() ?? null,
    ...(policies === undefined ? {} : { userPolicies: [...policies] }),
  }
}
