import { route } from '../route.ts'
import { NoContent } from '../schemas/common.ts'
import * as schema from '../schemas/embed-session.ts'

const tags = ['Embed'] as const

export const generateSession = route({
  operationId: 'generateSession',
  method: 'post',
  path: '/api/v1/embed/generate-session',
  summary: 'Create a one-time embed session',
  description:
    'The session id is exchanged once, within five minutes, for a token (POST /api/v1/embed/session/token). Everything is done or nothing.',
  tags,
  access: { permission: 'All' },
  body: schema.GenerateSession,
  response: schema.GenerateSessionResponse,
  errors: [
    'deployment_not_found',
    'branch_not_found',
    'branch_not_served',
    'embedding_disabled',
    'embed_session_refused',
    'creator_mode_disabled',
    'external_user_limit',
    'groups_not_found',
    'roles_not_found',
    'user_attributes_not_found',
    'attribute_type_immutable',
    'attribute_default_invalid',
    'attribute_duplicate',
    'definition_duplicate',
    'group_name_reserved',
    'attribute_value_invalid',
    'internal_user_not_found',
    'dashboard_not_found',
    'security_context_too_large',
  ],
})

export const postTokenBySessionId = route({
  operationId: 'postTokenBySessionId',
  method: 'post',
  path: '/api/v1/embed/session/token',
  summary: 'Exchange session id for embed JWT',
  description: 'The session id is the credential. It is good for one exchange; the token ends after 24 hours.',
  tags,
  access: 'public',
  body: schema.PostTokenBySessionIdInput,
  response: schema.GenerateEmbedTokenResponse,
  errors: ['embed_session_spent', 'embedding_disabled'],
})

export const renewSession = route({
  operationId: 'renewSession',
  method: 'post',
  path: '/api/v1/embed/session/renew',
  summary: 'Renew the token of a live embed session',
  description:
    'Sent with the token that is still valid. Answers a new one for the same session, 24 hours long, up to seven days after the exchange.',
  tags,
  access: 'embed',
  response: schema.GenerateEmbedTokenResponse,
  errors: ['embedding_disabled'],
})

export const revokeSession = route({
  operationId: 'revokeSession',
  method: 'post',
  path: '/api/v1/embed/session/revoke',
  summary: 'Revoke an embed session',
  description:
    'Its id can no longer be exchanged and its token is refused from now on. Ids that are not known are no error.',
  tags,
  access: { permission: 'All' },
  body: schema.RevokeEmbedSessionInput,
  status: 204,
  response: NoContent,
  errors: ['embedding_disabled', 'embed_session_refused'],
})

export const rotateEmbedSecret = route({
  operationId: 'rotateEmbedSecret',
  method: 'post',
  path: '/api/v1/embed/secret/rotate',
  summary: 'Sign embed tokens with a new secret',
  description: 'Tokens that were signed before stay valid until they end, unless revokeExisting says otherwise.',
  tags,
  access: 'admin',
  body: schema.RotateEmbedSecretInput,
  bodyOptional: true,
  response: schema.RotateEmbedSecretResponse,
  errors: [],
})
