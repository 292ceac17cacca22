import * as z from 'zod'
import { Id, Timestamp } from './common.ts'
import { EmbedUserProfile } from './embed-session.ts'
import { listOf } from './page.ts'
import { BulkActionError } from './user-admin.ts'

/** How the host knows one of its users; trimmed and in lower case when it is stored (SPEC, "External user"). */
const ExternalId = z.string().min(1).max(1000)

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
