import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { CreatedAt, Json, UpdatedAt } from './column-types.ts'

/** A customer of the account's own product, in whose frames creator mode keeps content, groups and attributes apart. */
export interface EmbedTenantTable {
  id: GeneratedAlways<number>
  accountId: number
  name: string
  displayName: string | null
  createdAt: CreatedAt
}

/** `all_embed_users` and `embed_tenant` groups are made by the platform to share content with; they have no members. */
export type UserGroupKind = 'custom' | 'all_embed_users' | 'embed_tenant'

/** A group of the whole account. */
export interface UserGroupTable {
  id: GeneratedAlways<number>
  accountId: number
  kind: Generated<UserGroupKind>
  embedTenantId: number | null
  name: string
  description: string | null
  createdAt: CreatedAt
  updatedAt: UpdatedAt
}

export interface GroupMemberTable {
  accountId: number
  groupId: number
  userId: number
  addedAt: CreatedAt
}

/** A role that the account made: a set of policies under a name. */
export interface RoleTable {
  id: GeneratedAlways<number>
  accountId: number
  name: string
  description: string | null
  /** JSON text of a list of policies when written. */
  policies: ColumnType<{ resourceType: string; actions: string[]; resources: string[] }[], string, string>
  createdAt: CreatedAt
  updatedAt: UpdatedAt
}

/** A role that a user holds: one of the account's, or one built in, by its name. */
export interface UserRoleTable {
  accountId: number
  userId: number
  roleId: number | null
  builtIn: string | null
  assignedAt: CreatedAt
}

/** A role that every member of a group holds. */
export interface GroupRoleTable {
  accountId: number
  groupId: number
  roleId: number | null
  builtIn: string | null
  assignedAt: CreatedAt
}

export type AttributeType = 'string' | 'number' | 'boolean' | 'string_array' | 'number_array'

/** Definition of a user attribute of the whole account. */
export interface UserAttributeTable {
  id: GeneratedAlways<number>
  accountId: number
  name: string
  type: AttributeType
  displayName: string | null
  description: string | null
  defaultValue: string | null
  createdAt: CreatedAt
  updatedAt: UpdatedAt
}

export type AttributeValue = string | number | boolean | string[] | number[]

export interface AttributeValueTable {
  accountId: number
  userId: number
  attributeId: number
  /** JSON text when written. */
  value: ColumnType<AttributeValue, string, string>
  updatedAt: UpdatedAt
}

/** A group of one embed tenant. */
export interface EmbedUserGroupTable {
  /** Of the same sequence as ids of {@link UserGroupTable}. */
  id: GeneratedAlways<number>
  accountId: number
  embedTenantId: number
  name: string
  description: string | null
  createdAt: CreatedAt
  updatedAt: UpdatedAt
}

/** Definition of a user attribute of one embed tenant. */
export interface EmbedUserAttributeTable extends UserAttributeTable {
  embedTenantId: number
}

/** What embed tokens of an account are signed with; the one that is not retired signs, retired ones still verify. */
export interface EmbedSecretTable {
  id: string
  accountId: number
  sealed: Buffer
  createdAt: CreatedAt
  retiredAt: Date | null
}

/** A role as it is held: one of the account's by its id, or one built in by its name. */
export interface StoredRoleKey {
  readonly roleId: number | null
  readonly builtIn: string | null
}

/** A signed embed session, from its minting until its token ends. */
export interface EmbedSessionTable {
  id: GeneratedAlways<number>
  accountId: number
  deploymentId: number
  userId: number
  embedTenantId: number | null
  /** SHA-256 of the session id. */
  digest: Buffer
  /** Whether it is an internal user's, made with `internalId`. */
  isInternal: boolean
  /** The sign-in of a browser that it lives by (private embedding); null: it was made by `generate-session`. */
  signInId: string | null
  creatorMode: boolean
  branchName: string | null
  publicDashboardId: string | null
  securityContext: JSONColumnType<Json>
  settings: JSONColumnType<Json>
  theme: ColumnType<Json | null, string | null, string | null>
  /** Roles that it was made with, as users hold them; JSON text when written. */
  roles: ColumnType<readonly StoredRoleKey[], string | undefined, never>
  createdAt: CreatedAt
  /** Until when it can be exchanged for a token. */
  expiresAt: Date
  redeemedAt: Date | null
  /** When its token ends; null until it is exchanged. */
  endsAt: Date | null
  revokedAt: Date | null
}

/** What an administrator set for the whole account; the platform knows what each key means and its default. */
export interface AccountSettingsTable {
  accountId: number
  settings: JSONColumnType<Json>
  updatedAt: UpdatedAt
}
