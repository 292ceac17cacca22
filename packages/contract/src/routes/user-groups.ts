import * as z from 'zod'
import { route } from '../route.ts'
import { Id, NoContent } from '../schemas/common.ts'
import { PageQuery } from '../schemas/page.ts'
import * as schema from '../schemas/user-group.ts'

const GroupParams = z.strictObject({ id: Id })
const base = '/api/v1/user-groups'
const common = { tags: ['User Groups'], access: 'admin' } as const

export const listUserGroups = route({
  ...common,
  operationId: 'listUserGroups',
  method: 'get',
  path: base,
  summary: 'List user groups',
  description: 'Groups of the account, newest first, with those that content is shared with embed users through.',
  access: 'caller',
  query: PageQuery.extend({
    search: z.string().max(255).optional().meta({ description: 'Part of a name.' }),
    kind: schema.UserGroupKind.optional(),
  }),
  response: schema.AccountGroupsResponse,
  errors: ['cursor_invalid'],
})

export const createUserGroup = route({
  ...common,
  operationId: 'createUserGroup',
  method: 'post',
  path: base,
  summary: 'Create a user group',
  body: schema.UserGroupCreateInput,
  response: schema.AccountGroup,
  errors: ['name_taken', 'group_name_reserved'],
})

export const getUserGroup = route({
  ...common,
  operationId: 'getUserGroup',
  method: 'get',
  path: `${base}/{id}`,
  summary: 'Read one user group',
  params: GroupParams,
  response: schema.AccountGroup,
  errors: ['group_not_found'],
})

export const updateUserGroup = route({
  ...common,
  operationId: 'updateUserGroup',
  method: 'put',
  path: `${base}/{id}`,
  summary: 'Change a user group',
  params: GroupParams,
  body: schema.UserGroupUpdateInput,
  bodyOptional: true,
  response: schema.AccountGroup,
  errors: ['group_not_found', 'group_is_system', 'name_taken', 'group_name_reserved'],
})

export const deleteUserGroup = route({
  ...common,
  operationId: 'deleteUserGroup',
  method: 'delete',
  path: `${base}/{id}`,
  summary: 'Delete a user group',
  description: 'With its roles and shares; its members stay.',
  params: GroupParams,
  status: 204,
  response: NoContent,
  errors: ['group_not_found', 'group_is_system'],
})

export const deleteGroupByOlderPath = route({
  ...common,
  operationId: 'deleteGroupByOlderPath',
  method: 'delete',
  path: '/api/v1/groups/{id}',
  summary: 'Delete a user group, as the command-line client asks for it',
  description: 'As DELETE /api/v1/user-groups/{id}.',
  params: GroupParams,
  status: 204,
  response: NoContent,
  errors: ['group_not_found', 'group_is_system'],
})

export const listUserGroupMembers = route({
  ...common,
  operationId: 'listUserGroupMembers',
  method: 'get',
  path: `${base}/{id}/users`,
  summary: 'List members of a user group',
  description: 'Most recently added first.',
  params: GroupParams,
  query: PageQuery,
  response: schema.GroupMembersResponse,
  errors: ['group_not_found', 'cursor_invalid'],
})

export const addUserGroupMembers = route({
  ...common,
  operationId: 'addUserGroupMembers',
  method: 'post',
  path: `${base}/{id}/users`,
  summary: 'Put users into a user group',
  description: 'All or none. Those who are in it already are unchanged.',
  params: GroupParams,
  body: schema.GroupMembersInput,
  response: schema.GroupMembersAdded,
  errors: ['group_not_found', 'group_is_system', 'user_not_found'],
})

export const removeUserGroupMembers = route({
  ...common,
  operationId: 'removeUserGroupMembers',
  method: 'delete',
  path: `${base}/{id}/users`,
  summary: 'Take users out of a user group',
  description: 'The same answer for those who are not in it.',
  params: GroupParams,
  body: schema.GroupMembersInput,
  status: 204,
  response: NoContent,
  errors: ['group_not_found', 'group_is_system'],
})

const RoleOfGroupParams = z.strictObject({ roleId: Id, groupId: Id })

export const assignRoleToGroup = route({
  operationId: 'assignRoleToGroup',
  method: 'put',
  path: '/api/v1/roles/{roleId}/groups/{groupId}',
  summary: 'Assign a role to the members of a group',
  description: 'Built-in roles can be assigned too, but for Admin. The same answer where the group holds it already.',
  tags: ['Roles'],
  access: 'admin',
  params: RoleOfGroupParams,
  status: 204,
  response: NoContent,
  errors: ['role_not_found', 'group_not_found', 'group_is_system'],
})

export const removeRoleFromGroup = route({
  operationId: 'removeRoleFromGroup',
  method: 'delete',
  path: '/api/v1/roles/{roleId}/groups/{groupId}',
  summary: 'Remove a role from a group',
  description: 'The same answer where the group does not hold it.',
  tags: ['Roles'],
  access: 'admin',
  params: RoleOfGroupParams,
  status: 204,
  response: NoContent,
  errors: ['role_not_found', 'group_not_found', 'group_is_system'],
})
