import * as z from 'zod'
import { route } from '../route.ts'
import { Id, NoContent } from '../schemas/common.ts'
import { PageQuery } from '../schemas/page.ts'
import * as schema from '../schemas/role.ts'

const RoleParams = z.strictObject({ roleId: Id })
const base = '/api/v1/roles'
const common = { tags: ['Roles'], access: 'admin' } as const

export const getRoles = route({
  ...common,
  operationId: 'getRoles',
  method: 'get',
  path: base,
  summary: 'List custom roles',
  description: 'Roles that the account made, newest first. Built-in roles are not among them.',
  query: PageQuery,
  response: schema.RolesListResponse,
  errors: ['cursor_invalid'],
})

export const createRole = route({
  ...common,
  operationId: 'createRole',
  method: 'post',
  path: base,
  summary: 'Create a custom role',
  body: schema.RoleCreateBody,
  response: schema.Role,
  errors: ['name_taken', 'role_name_reserved'],
})

export const getRole = route({
  ...common,
  operationId: 'getRole',
  method: 'get',
  path: `${base}/{roleId}`,
  summary: 'Get a custom role',
  description: 'With its policies. A built-in role can be read too.',
  params: RoleParams,
  response: schema.Role,
  errors: ['role_not_found'],
})

export const updateRole = route({
  ...common,
  operationId: 'updateRole',
  method: 'put',
  path: `${base}/{roleId}`,
  summary: 'Update a custom role',
  params: RoleParams,
  body: schema.RoleUpdateBody,
  bodyOptional: true,
  response: schema.Role,
  errors: ['role_not_found', 'role_built_in', 'name_taken', 'role_name_reserved'],
})

export const deleteRole = route({
  ...common,
  operationId: 'deleteRole',
  method: 'delete',
  path: `${base}/{roleId}`,
  summary: 'Delete a custom role',
  description: 'Takes it from every user and group that holds it.',
  params: RoleParams,
  status: 204,
  response: NoContent,
  errors: ['role_not_found', 'role_built_in'],
})

export const assignRoleToUser = route({
  ...common,
  operationId: 'assignRoleToUser',
  method: 'put',
  path: `${base}/{roleId}/users/{userId}`,
  summary: 'Assign a role to a user',
  description:
    'Built-in roles can be assigned too, but for Admin. The same answer where the user holds it already. Rights are those of all roles together.',
  params: RoleParams.extend({ userId: Id }),
  status: 204,
  response: NoContent,
  errors: ['role_not_found', 'user_not_found', 'user_is_external'],
})

export const removeRoleFromUser = route({
  ...common,
  operationId: 'removeRoleFromUser',
  method: 'delete',
  path: `${base}/{roleId}/users/{userId}`,
  summary: 'Remove a role from a user',
  description: 'The same answer where the user does not hold it.',
  params: RoleParams.extend({ userId: Id }),
  status: 204,
  response: NoContent,
  errors: ['role_not_found', 'user_not_found'],
})
