import * as z from 'zod'
import { Id } from './common.ts'
import { ResourceOwner } from './content.ts'
import { listOf, PageQuery } from './page.ts'
import { UserGroupKind } from './user-group.ts'

/** What can be shared. The published list of types has more; those are not shared one by one. */
export const SharedResourceType = z.enum(['Folder', 'Workbook', 'Report']).meta({ id: 'SharedResourceType' })
export type SharedResourceType = z.infer<typeof SharedResourceType>

/** What a share allows. Each includes those before it of its type. */
export const ShareAction = z
  .enum([
    'FolderRead',
    'FolderEdit',
    'FolderManage',
    'WorkbookRead',
    'WorkbookEdit',
    'WorkbookManage',
    'ReportRead',
    'ReportEdit',
    'ReportManage',
  ])
  .meta({ id: 'ShareAction' })
export type ShareAction = z.infer<typeof ShareAction>

const action = ShareAction.meta({ description: 'The highest of actions.' })
const actions = z.array(ShareAction).meta({ description: 'All that the share allows.' })

export const UserPolicy = z
  .object({ userId: Id, action, actions, user: ResourceOwner })
  .meta({ id: 'ResourceUserPolicy' })

export const GroupPolicy = z
  .object({
    groupId: Id,
    action,
    actions,
    group: z.object({ id: Id, name: z.string(), userCount: z.int().min(0) }).meta({ id: 'ResourceGroup' }),
  })
  .meta({ id: 'ResourceGroupPolicy' })

const inherited = {
  resourceType: SharedResourceType.meta({ description: 'Of the folder or workbook around it that is shared.' }),
  resourceId: Id,
  resourceName: z.string(),
}

export const ResourcePolicies = z
  .object({
    resourceType: SharedResourceType,
    resourceId: Id,
    owner: ResourceOwner.nullable().meta({
      description: 'Who manages it without a share; null once that user is gone.',
    }),
    userPolicies: z.array(UserPolicy),
    groupPolicies: z.array(GroupPolicy),
    inheritedUserPolicies: z.array(UserPolicy.extend(inherited)).meta({
      description: 'Shares with users, and owners, of the folders and the workbook that it is in.',
    }),
    inheritedGroupPolicies: z.array(GroupPolicy.extend(inherited)),
  })
  .meta({ id: 'ResourcePoliciesResponse' })
export type ResourcePolicies = z.infer<typeof ResourcePolicies>

const what = { resourceType: SharedResourceType, resourceId: Id }
const wanted = {
  action: ShareAction.nullish().meta({
    description: 'Replaces what was shared before; absent or null: nothing any more.',
  }),
}

export const ResourcePoliciesQuery = z.strictObject(what)
export const SetUserPolicyInput = z.strictObject({ ...what, userId: Id, ...wanted }).meta({ id: 'SetUserPolicyInput' })
export const SetGroupPolicyInput = z
  .strictObject({ ...what, groupId: Id, ...wanted })
  .meta({ id: 'SetGroupPolicyInput' })

export const ShareTargetsQuery = PageQuery.extend({
  ...what,
  search: z
    .string()
    .max(255)
    .nullish()
    .meta({ description: 'Part of a user name, name or e-mail address; of groups, of a name.' }),
})

const ShareableUser = z
  .object({
    id: Id,
    username: z.string(),
    email: z.string().nullable(),
    firstName: z.string().nullable(),
    picture: z.string().nullable(),
  })
  .meta({ id: 'ShareableUser' })
export const ShareableUsers = listOf(ShareableUser).meta({ id: 'ShareableUsersResponse' })

const ShareableGroup = z
  .object({
    id: Id,
    name: z.string(),
    kind: UserGroupKind.meta({ description: 'Other groups than custom ones hold everybody of their kind.' }),
  })
  .meta({ id: 'ShareableGroup' })
export const ShareableGroups = listOf(ShareableGroup).meta({ id: 'ShareableGroupsResponse' })
