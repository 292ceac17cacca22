import * as z from 'zod'
import { Policy } from '../permissions.ts'
import { Id, Timestamp } from './common.ts'
import { listOf } from './page.ts'
import { UserSettings } from './user-admin.ts'

const UserAlias = z
  .object({
    id: Id,
    userId: Id,
    username: z.string(),
    source: z.enum(['ldap', 'saml', 'scim', 'manual']),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'UserAlias' })

const UserFields = z.object({
  id: Id,
  email: z.string(),
  username: z.string(),
  firstName: z.string().nullable(),
  picture: z.string().nullable(),
  title: z.string().nullable(),
  externalId: z.string().nullable(),
  isAdmin: z.boolean(),
  isDeactivated: z.boolean(),
  defaultRoles: z.array(z.string()).meta({ description: 'Names of the roles that the user holds himself.' }),
  notifications: z.record(z.string(), z.unknown()),
  settings: UserSettings.nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  lastLogin: Timestamp.nullable(),
  tosAccepted: z.record(z.string(), z.unknown()).nullish(),
  activeRoleId: Id.nullish().meta({ description: 'Always null: rights are those of all roles together.' }),
  aliases: z.array(UserAlias).nullish().meta({ description: 'Always empty.' }),
  gitUser: z.string().nullish().meta({ description: 'Always null.' }),
  samlId: z.string().nullish().meta({ description: 'Always null.' }),
  userPolicies: z.array(Policy).optional().meta({ description: 'Effective policies; only users/me fills it.' }),
})

const UserImpersonation = z
  .object({
    startedAt: Timestamp.nullish(),
    expiresAt: Timestamp.nullish(),
    impersonatedUser: UserFields.extend({ impersonation: z.null().optional() }).nullish(),
  })
  .meta({ id: 'UserImpersonation' })

export const User = UserFields.extend({
  impersonation: UserImpersonation.nullish().meta({ description: 'Always null: nobody acts as another.' }),
}).meta({ id: 'User' })
export type User = z.infer<typeof User>

export const UsersListResponse = listOf(User)
  .extend({ count: z.int().min(0).meta({ deprecated: true }) })
  .meta({ id: 'UsersListResponse' })

export const ApiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().meta({ description: 'The first characters of the secret, to recognise it by.' }),
    deploymentIds: z.array(Id).nullable().meta({ description: 'The deployments it is limited to; null: all.' }),
    policies: z
      .array(Policy)
      .nullable()
      .meta({ description: 'What it may do; null: everything an administrator may.' }),
    createdBy: z.string().nullable().meta({ description: 'E-mail address of the user who made it.' }),
    createdAt: Timestamp,
    expiresAt: Timestamp.nullable(),
    lastUsedAt: Timestamp.nullable(),
  })
  .meta({ id: 'ApiKeyResponse' })
export type ApiKey = z.infer<typeof ApiKey>

export const ApiKeyCreated = ApiKey.extend({
  token: z.string().meta({ description: 'The secret. It is shown here once and cannot be read again.' }),
}).meta({ id: 'ApiKeyCreatedResponse' })

export const ApiKeysListResponse = listOf(ApiKey).meta({ id: 'ApiKeysListResponse' })

export const CreateApiKeyInput = z
  .strictObject({
    name: z.string().trim().min(1).max(255),
    deploymentIds: z.array(Id).min(1).max(1000).nullish(),
    policies: z.array(Policy).min(1).max(100).nullish(),
    expiresAt: z.iso.datetime({ offset: true }).nullish(),
  })
  .meta({ id: 'CreateApiKeyInput' })
export type CreateApiKeyInput = z.infer<typeof CreateApiKeyInput>
