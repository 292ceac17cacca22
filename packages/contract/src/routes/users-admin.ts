import * as z from 'zod'
import { route } from '../route.ts'
import { Id } from '../schemas/common.ts'
import { User } from '../schemas/people.ts'
import * as schema from '../schemas/user-admin.ts'

const UserParams = z.strictObject({ id: Id })
const common = { tags: ['Users Admin'], access: 'admin' } as const

export const createUser = route({
  ...common,
  operationId: 'createUser',
  method: 'post',
  path: '/api/v1/users',
  summary: 'Create user',
  body: schema.UserCreateInput,
  response: User,
  errors: ['name_taken', 'roles_not_found', 'deployment_not_found', 'external_user_limit'],
})

export const bulkUserAction = route({
  ...common,
  operationId: 'bulkUserAction',
  method: 'post',
  path: '/api/v1/users/bulk',
  summary: 'Apply one action to many users',
  description:
    'One by one, in the order given and each on its own: those that fail are listed and the rest still applies.',
  body: schema.BulkUserActionInput,
  response: schema.BulkUserActionPayload,
  errors: [],
})

export const updateUser = route({
  ...common,
  operationId: 'updateUser',
  method: 'put',
  path: '/api/v1/users/{id}',
  summary: 'Update user',
  params: UserParams,
  body: schema.UserUpdateInput,
  bodyOptional: true,
  response: User,
  errors: ['user_not_found', 'user_is_external', 'own_account_deactivated', 'last_admin', 'deployment_not_found'],
})

export const deleteUser = route({
  ...common,
  operationId: 'deleteUser',
  method: 'delete',
  path: '/api/v1/users/{id}',
  summary: 'Delete user',
  description: 'Revokes the API keys and ends the sessions of the user. Content of the user stays, without an owner.',
  params: UserParams,
  response: z.object({ success: z.boolean() }).meta({ id: 'UserDeletedResponse' }),
  errors: ['user_not_found', 'own_account_deleted', 'last_admin'],
})

export const createSignInLink = route({
  ...common,
  operationId: 'createSignInLink',
  method: 'post',
  path: '/api/v1/users/{id}/sign-in-link',
  summary: 'Create a one-time sign-in link',
  description:
    'Whoever opens it chooses a password for the user and is signed in as him: hand it to him alone. It works once, for 24 hours, and replaces any earlier one; the secret in it is in this answer and nowhere else.',
  params: UserParams,
  response: schema.SignInLink,
  errors: ['user_not_found', 'user_is_external', 'user_deactivated'],
})

export const updateMySettings = route({
  operationId: 'updateMySettings',
  method: 'patch',
  path: '/api/v1/users/me/settings',
  summary: 'Update my own settings',
  description: 'What is left out stays; null clears it.',
  tags: ['Users'],
  access: 'caller',
  embeds: true,
  body: schema.UserSettingsInput,
  bodyOptional: true,
  response: User,
  errors: ['deployment_not_found'],
})
