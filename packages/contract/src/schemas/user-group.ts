import * as z from 'zod'
import { Id, Timestamp } from './common.ts'
import { GroupDescription, GroupName, UserGroup } from './embed-tenant.ts'
import { listOf } from './page.ts'

export const UserGroupKind = z.enum(['custom', 'all_embed_users', 'embed_tenant']).meta({ id: 'UserGroupKind' })

export const AccountGroup = UserGroup.extend({
  kind: UserGroupKind.meta({
    description: 'Those that are not custom are made by Hedron to share content with; they have no members.',
  }),
}).meta({ id: 'AccountUserGroup' })
export type AccountGroup = z.infer<typeof AccountGroup>

export const AccountGroupsResponse = listOf(AccountGroup).meta({ id: 'AccountUserGroupsResponse' })

export const UserGroupCreateInput = z
  .strictObject({ name: GroupName, description: GroupDescription.nullish() })
  .meta({ id: 'UserGroupCreateInput' })

export const UserGroupUpdateInput = z
  .strictObject({ name: GroupName.optional(), description: GroupDescription.nullish() })
  .meta({ id: 'UserGroupUpdateInput', description: 'What is left out stays; null clears the description.' })

export const GroupMembersInput = z
  .strictObject({
    members: z
      .array(z.strictObject({ userId: Id }))
      .min(1)
      .max(1000),
  })
  .meta({ id: 'UserGroupMembersInput' })

export const GroupMember = z
  .object({
    id: Id,
    username: z.string(),
    email: z.string().nullable(),
    externalId: z.string().nullable(),
    firstName: z.string().nullable(),
    createdAt: Timestamp,
    lastLogin: Timestamp.nullable(),
  })
  .meta({ id: 'UserGroupMember' })
export type GroupMember = z.infer<typeof GroupMember>

export const GroupMembersResponse = listOf(GroupMember).meta({ id: 'UserGroupMembersResponse' })

export const GroupMembersAdded = z
  .object({ addedMembers: z.array(GroupMember), unchangedMembers: z.array(GroupMember) })
  .meta({ id: 'UserGroupMembersAddedResponse' })
