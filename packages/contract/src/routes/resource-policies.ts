import { contentReaders } from '../permissions.ts'
import { route } from '../route.ts'
import * as schema from '../schemas/resource-policy.ts'

const tags = ['Resource Policies'] as const
const access = { permission: contentReaders }
const itemErrors = [
  'deployment_not_found',
  'folder_not_found',
  'workbook_not_found',
  'report_not_found',
  'content_level_missing',
] as const

export const getResourcePolicies = route({
  operationId: 'getResourcePolicies',
  method: 'get',
  path: '/api/v1/resource-policies',
  summary: 'Read who an item is shared with',
  description:
    'Needs manage access to the item. Shares of the folders and the workbook that it is in are listed apart.',
  tags,
  access,
  query: schema.ResourcePoliciesQuery,
  response: schema.ResourcePolicies,
  errors: itemErrors,
})

const sharing =
  'Needs manage access to the item. Without action the share is taken back. In the workspace of an embed tenant items are shared within that tenant alone; anybody else is answered as if they did not exist.'

export const setUserPolicy = route({
  operationId: 'setUserPolicy',
  method: 'put',
  path: '/api/v1/resource-policies/user',
  summary: 'Share an item with a user',
  description: sharing,
  tags,
  access,
  body: schema.SetUserPolicyInput,
  response: schema.ResourcePolicies,
  errors: [...itemErrors, 'share_target_not_found'],
})

export const setGroupPolicy = route({
  operationId: 'setGroupPolicy',
  method: 'put',
  path: '/api/v1/resource-policies/group',
  summary: 'Share an item with a group',
  description: `${sharing} The groups of all embed users and of an embed tenant only read what the account shares with them.`,
  tags,
  access,
  body: schema.SetGroupPolicyInput,
  response: schema.ResourcePolicies,
  errors: [...itemErrors, 'share_target_not_found', 'share_read_only'],
})

const targets =
  'Needs manage access to the item. In the workspace of an embed tenant they are those of that tenant and nobody else.'

export const listShareableUsers = route({
  operationId: 'listShareableUsers',
  method: 'get',
  path: '/api/v1/resource-policies/users',
  summary: 'List users with whom an item can be shared',
  description: `${targets} In the account's own workspace: its active internal users. In the order of user names.`,
  tags,
  access,
  query: schema.ShareTargetsQuery,
  response: schema.ShareableUsers,
  errors: [...itemErrors, 'cursor_invalid'],
})

export const listShareableGroups = route({
  operationId: 'listShareableGroups',
  method: 'get',
  path: '/api/v1/resource-policies/groups',
  summary: 'List groups with which an item can be shared',
  description: `${targets} In the account's own workspace: its groups, and those of embed users, who only read. In the order of names.`,
  tags,
  access,
  query: schema.ShareTargetsQuery,
  response: schema.ShareableGroups,
  errors: [...itemErrors, 'cursor_invalid'],
})
