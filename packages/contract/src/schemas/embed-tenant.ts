import * as z from 'zod'
import { Id, Timestamp } from './common.ts'
import { EmbedUserProfile } from './embed-session.ts'
import { listOf } from './page.ts'

/** SPEC, "Embed tenant". */
const tenantNamePattern = /^[a-z][a-z0-9-]{3,34}[a-z0-9]$/
const tenantNameHint =
  'must be 5 to 36 characters of a-z, 0-9 and -, begin with a letter and end with a letter or a digit'

/** An embed tenant's name as it is stored. */
export const CanonicalEmbedTenantName = z.string().regex(tenantNamePattern, tenantNameHint)
/** The name as callers may write it: letter case and blanks around it do not matter. */
export const EmbedTenantName = z.string().trim().toLowerCase().regex(tenantNamePattern, tenantNameHint)

export const GroupName = z.string().trim().min(1).max(100)
export const GroupDescription = z.string().max(500)
export const AttributeName = z.string().trim().min(1).max(100)
/** How the host knows one of its users; trimmed and in lower case when it is stored (SPEC, "External user"). */
const ExternalId = z.string().min(1).max(1000)

export const AttributeType = z
  .enum(['string', 'number', 'boolean', 'string_array', 'number_array'])
  .meta({ id: 'UserAttributeType' })
export type AttributeType = z.infer<typeof AttributeType>

export const EmbedTenant = z
  .object({
    id: Id,
    name: z.string(),
    displayName: z.string().nullable(),
    createdAt: Timestamp,
    userCount: z.int().min(0),
  })
  .meta({ id: 'EmbedTenant' })
export type EmbedTenant = z.infer<typeof EmbedTenant>

export const EmbedTenantsPublicResponse = listOf(EmbedTenant).meta({ id: 'EmbedTenantsPublicResponse' })

export const UserGroup = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string().nullable(),
    userCount: z.int().min(0).meta({ description: 'How many members it has.' }),
  })
  .meta({ id: 'UserGroupDTO' })
export type UserGroup = z.infer<typeof UserGroup>

export const UserGroupsConnectionResponse = listOf(UserGroup).meta({ id: 'UserGroupsConnectionResponse' })

export const CreateEmbedGroupInput = z
  .strictObject({ name: GroupName, description: GroupDescription.nullish() })
  .meta({ id: 'CreateEmbedGroupInput' })

export const UpdateEmbedGroupInput = z
  .strictObject({
    description: GroupDescription.nullish().meta({ description: 'An empty one clears it; without one it is kept.' }),
  })
  .meta({ id: 'UpdateEmbedGroupInput' })

export const EmbedUserAttribute = z
  .object({
    id: Id,
    name: z.string(),
    type: AttributeType,
    displayName: z.string().nullable(),
    description: z.string().nullable(),
    defaultValue: z.string().nullable(),
  })
  .meta({ id: 'EmbedUserAttribute' })
export type EmbedUserAttribute = z.infer<typeof EmbedUserAttribute>

export const EmbedUserAttributesResponse = listOf(EmbedUserAttribute).meta({ id: 'EmbedUserAttributesResponse' })

export const EmbedUser = z
  .object({
    id: Id,
    username: z.string(),
    email: z.string().nullable().meta({
      description: 'Where none is known, one at embed-user.invalid that is made of the external id.',
    }),
    externalId: z.string().nullable(),
    firstName: z.string().nullable().meta({ description: 'The display name.' }),
    createdAt: Timestamp,
    lastLogin: Timestamp.nullable(),
  })
  .meta({ id: 'EmbedUser' })
export type EmbedUser = z.infer<typeof EmbedUser>

export const EmbedUsersPublicResponse = listOf(EmbedUser).meta({ id: 'EmbedUsersPublicResponse' })

const GroupNames = z.array(z.string().min(1).max(255)).max(1000).nullish()

export const ProvisionEmbedUserInput = z
  .strictObject({
    externalId: ExternalId,
    email: z
      .string()
      .trim()
      .toLowerCase()
      .max(320)
      .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address')
      .nullish()
      .meta({ description: 'Left out: kept.' }),
    userProfile: EmbedUserProfile.nullish().meta({ description: 'What is left out is kept.' }),
    groups: GroupNames.meta({
      description: 'Groups of the whole account, by name. Left out: kept; empty: cleared; else exactly these.',
    }),
    tenantGroups: GroupNames.meta({ description: 'Groups of this embed tenant, likewise.' }),
  })
  .meta({ id: 'ProvisionEmbedUserInput' })
export type ProvisionEmbedUserInput = z.infer<typeof ProvisionEmbedUserInput>

export const ProvisionEmbedUsersInput = z
  .strictObject({ users: z.array(ProvisionEmbedUserInput).min(1).max(100) })
  .meta({ id: 'ProvisionEmbedUsersInput' })

const BulkActionError = z.object({ status: z.int(), message: z.string() }).meta({ id: 'BulkActionError' })

export const ProvisionEmbedUserFailure = z
  .object({ externalId: z.string(), error: BulkActionError })
  .meta({ id: 'ProvisionEmbedUserFailure' })
export type ProvisionEmbedUserFailure = z.infer<typeof ProvisionEmbedUserFailure>

export const ProvisionEmbedUsersResponse = z
  .object({ succeeded: z.array(EmbedUser), failed: z.array(ProvisionEmbedUserFailure) })
  .meta({ id: 'ProvisionEmbedUsersResponse' })

const EmbedGroupMemberInput = z
  .strictObject({ externalId: ExternalId.nullish(), embedUserId: Id.nullish() })
  .refine(({ externalId, embedUserId }) => (externalId == null) !== (embedUserId == null), {
    error: 'give exactly one of externalId and embedUserId',
  })
  .meta({ id: 'EmbedGroupMemberInput' })
export type EmbedGroupMemberInput = z.infer<typeof EmbedGroupMemberInput>

export const EmbedGroupMembersInput = z
  .strictObject({ members: z.array(EmbedGroupMemberInput).min(1).max(1000) })
  .meta({ id: 'EmbedGroupMembersInput' })

export const EmbedGroupMembersMutationResponse = z
  .object({ addedMembers: z.array(EmbedUser), unchangedMembers: z.array(EmbedUser) })
  .meta({ id: 'EmbedGroupMembersMutationResponse' })
