import type { Policy, User } from '@hedron/contract'
import type { users } from '@hedron/store'
import { adminRole } from '../roles/built-in-roles.ts'

interface Shown {
  /** Names of the roles that the user holds himself. */
  readonly roleNames: readonly string[]
  /** The effective ones, given for the caller alone. */
  readonly policies?: readonly Policy[]
}

/** A user as the API shows it. */
export function showUser(row: users.UserRow, { roleNames, policies }: Shown): User {
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
    defaultRoles: row.isAdmin ? [adminRole, ...roleNames] : [...roleNames],
    notifications: row.notifications,
    settings: row.settings,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    lastLogin: row.lastLoginAt?.toISOString() ?? null,
    tosAccepted: row.tosAccepted,
    activeRoleId: null,
    aliases: [],
    gitUser: null,
    samlId: null,
    impersonation: null,
    ...(policies === undefined ? {} : { userPolicies: [...policies] }),
  }
}
