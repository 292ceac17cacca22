import * as z from 'zod'
import { route } from '../route.ts'
import { PageQuery } from '../schemas/page.ts'
import * as schema from '../schemas/people.ts'

const KeyParams = z.strictObject({ id: z.string().min(1).max(64) })

export const getUsers = route({
  operationId: 'getUsers',
  method: 'get',
  path: '/api/v1/users',
  summary: 'List users',
  tags: ['Users'],
  access: 'caller',
  query: PageQuery.extend({
    search: z.string().max(255).optional().meta({ description: 'Part of a name, user name or e-mail address.' }),
  }),
  response: schema.UsersListResponse,
  errors: ['cursor_invalid'],
})

export const getMe = route({
  operationId: 'getMe',
  method: 'get',
  path: '/api/v1/users/me',
  summary: 'Read the authenticated user',
  tags: ['Users'],
  access: 'caller',
  embeds: true,
  response: schema.User,
  errors: [],
})

export const listApiKeys = route({
  operationId: 'listApiKeys',
  method: 'get',
  path: '/api/v1/api-keys',
  summary: 'List API keys',
  tags: ['API Keys'],
  access: 'admin',
  query: PageQuery,
  response: schema.ApiKeysListResponse,
  errors: ['cursor_invalid'],
})

export const createApiKey = route({
  operationId: 'createApiKey',
  method: 'post',
  path: '/api/v1/api-keys',
  summary: 'Create an API key',
  description: 'The secret is in this answer and nowhere else: only its digest is kept.',
  tags: ['API Keys'],
  access: 'admin',
  body: schema.CreateApiKeyInput,
  response: schema.ApiKeyCreated,
  errors: ['deployment_not_found'],
})

export const getApiKey = route({
  operationId: 'getApiKey',
  method: 'get',
  path: '/api/v1/api-keys/{id}',
  summary: 'Read one API key',
  tags: ['API Keys'],
  access: 'admin',
  params: KeyParams,
  response: schema.ApiKey,
  errors: ['api_key_not_found'],
})

export const revokeApiKey = route({
  operationId: 'revokeApiKey',
  method: 'delete',
  path: '/api/v1/api-keys/{id}',
  summary: 'Revoke an API key',
  description: 'Its next request is refused; its dev-mode session ends.',
  tags: ['API Keys'],
  access: 'admin',
  params: KeyParams,
  response: z.object({ success: z.boolean() }).meta({ id: 'ApiKeyRevokedResponse' }),
  errors: ['api_key_not_found'],
})
