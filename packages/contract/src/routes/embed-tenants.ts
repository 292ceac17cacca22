import * as z from 'zod'
import { route } from '../route.ts'
import { Id, NoContent } from '../schemas/common.ts'
import * as schema from '../schemas/embed-tenant.ts'
import * as user from '../schemas/embed-user.ts'
import { PageQuery } from '../schemas/page.ts'

const TenantParams = z.strictObject({ embedTenantName: schema.EmbedTenantName })
const ItemParams = TenantParams.extend({ id: Id })
const base = '/api/v1/embed-tenants'
const common = { tags: ['Embed Tenants'], access: 'admin' } as const

export const listEmbedTenants = route({
  ...common,
  operationId: 'listEmbedTenants',
  method: 'get',
  path: base,
  summary: 'List embed tenants',
  description: 'In the order of their names.',
  query: PageQuery.extend({ search: z.string().max(255).nullish().meta({ description: 'Part of a name.' }) }),
  response: schema.EmbedTenantsPublicResponse,
  errors: ['cursor_invalid'],
})

export const deleteEmbedTenant = route({
  ...common,
  operationId: 'deleteEmbedTenant',
  method: 'delete',
  path: `${base}/{embedTenantName}`,
  summary: 'Remove an embed tenant',
  description:
    'With its users, groups, attributes, sessions, content and sharing group. The same answer where there is none. The name must be in lower case.',
  params: z.strictObject({ embedTenantName: schema.CanonicalEmbedTenantName }),
  status: 204,
  response: NoContent,
  errors: [],
})

export const getGroups = route({
  ...common,
  operationId: 'getGroups',
  method: 'get',
  path: `${base}/{embedTenantName}/groups`,
  summary: 'List embed groups',
  description: "The tenant's own groups, newest first.",
  params: TenantParams,
  query: PageQuery,
  response: schema.UserGroupsConnectionResponse,
  errors: ['embed_tenant_not_found', 'cursor_invalid'],
})

export const createGroup = route({
  ...common,
  operationId: 'createGroup',
  method: 'post',
  path: `${base}/{embedTenantName}/groups`,
  summary: 'Add an embed group',
  description: 'Makes the embed tenant where there is none.',
  params: TenantParams,
  body: schema.CreateEmbedGroupInput,
  response: schema.UserGroup,
  errors: ['embed_group_name_taken', 'group_name_reserved'],
})

export const getGroup = route({
  ...common,
  operationId: 'getGroup',
  method: 'get',
  path: `${base}/{embedTenantName}/groups/{id}`,
  summary: 'Read one embed group',
  params: ItemParams,
  response: schema.UserGroup,
  errors: ['embed_tenant_not_found', 'embed_group_not_found'],
})

export const updateGroup = route({
  ...common,
  operationId: 'updateGroup',
  method: 'patch',
  path: `${base}/{embedTenantName}/groups/{id}`,
  summary: 'Change embed group description',
  params: ItemParams,
  body: schema.UpdateEmbedGroupInput,
  response: schema.UserGroup,
  errors: ['embed_tenant_not_found', 'embed_group_not_found'],
})

export const deleteGroup = route({
  ...common,
  operationId: 'deleteGroup',
  method: 'delete',
  path: `${base}/{embedTenantName}/groups/{id}`,
  summary: 'Remove an embed group',
  description: 'One that has no members.',
  params: ItemParams,
  status: 204,
  response: NoContent,
  errors: ['embed_tenant_not_found', 'embed_group_not_found', 'embed_group_not_empty'],
})

export const listEmbedUserAttributes = route({
  ...common,
  operationId: 'listEmbedUserAttributes',
  method: 'get',
  path: `${base}/{embedTenantName}/user-attributes`,
  summary: 'List embed user attributes',
  description: 'Definitions of the tenant, newest first.',
  params: TenantParams,
  query: PageQuery,
  response: schema.EmbedUserAttributesResponse,
  errors: ['embed_tenant_not_found', 'cursor_invalid'],
})

export const deleteEmbedUserAttribute = route({
  ...common,
  operationId: 'deleteEmbedUserAttribute',
  method: 'delete',
  path: `${base}/{embedTenantName}/user-attributes/{id}`,
  summary: 'Remove an embed user attribute',
  description: 'With the values that users have for it.',
  params: ItemParams,
  status: 204,
  response: NoContent,
  errors: ['embed_tenant_not_found', 'embed_attribute_not_found'],
})

export const getGroupMembers = route({
  ...common,
  operationId: 'getGroupMembers',
  method: 'get',
  path: `${base}/{embedTenantName}/groups/{id}/users`,
  summary: 'List embed group members',
  description: 'Those added last first.',
  params: ItemParams,
  query: PageQuery,
  response: user.EmbedUsersPublicResponse,
  errors: ['embed_tenant_not_found', 'embed_group_not_found', 'cursor_invalid'],
})

export const addGroupMembers = route({
  ...common,
  operationId: 'addGroupMembers',
  method: 'post',
  path: `${base}/{embedTenantName}/groups/{id}/users`,
  summary: 'Put users into group',
  description: 'Makes a user of each externalId that is new. All or none; the same request again changes nothing.',
  params: ItemParams,
  body: user.EmbedGroupMembersInput,
  response: user.EmbedGroupMembersMutationResponse,
  errors: ['embed_tenant_not_found', 'embed_group_not_found', 'embed_user_not_found', 'external_user_limit'],
})

export const removeGroupMembers = route({
  ...common,
  operationId: 'removeGroupMembers',
  method: 'delete',
  path: `${base}/{embedTenantName}/groups/{id}/users`,
  summary: 'Take users out of group',
  description: 'Who is no member is passed over.',
  params: ItemParams,
  body: user.EmbedGroupMembersInput,
  status: 204,
  response: NoContent,
  errors: ['embed_tenant_not_found', 'embed_group_not_found'],
})

export const provisionEmbedUser = route({
  ...common,
  operationId: 'provisionEmbedUser',
  method: 'post',
  path: `${base}/{embedTenantName}/user`,
  summary: 'Upsert one embed user',
  description: 'Makes the embed tenant where there is none. The same request again changes nothing.',
  params: TenantParams,
  body: user.ProvisionEmbedUserInput,
  response: user.EmbedUser,
  errors: ['groups_not_found', 'external_user_limit'],
})

export const listEmbedUsers = route({
  ...common,
  operationId: 'listEmbedUsers',
  method: 'get',
  path: `${base}/{embedTenantName}/users`,
  summary: 'List embed users',
  description: 'In the order of their e-mail addresses.',
  params: TenantParams,
  query: PageQuery.extend({
    search: z.string().max(255).nullish().meta({ description: 'Part of an e-mail address or external id.' }),
  }),
  response: user.EmbedUsersPublicResponse,
  errors: ['embed_tenant_not_found', 'cursor_invalid'],
})

export const provisionEmbedUsers = route({
  ...common,
  operationId: 'provisionEmbedUsers',
  method: 'post',
  path: `${base}/{embedTenantName}/users`,
  summary: 'Upsert embed users in bulk',
  description:
    'One after the other, each wholly or not at all; 200 also where some could not be applied. The same request again changes nothing.',
  params: TenantParams,
  body: user.ProvisionEmbedUsersInput,
  response: user.ProvisionEmbedUsersResponse,
  errors: [],
})
