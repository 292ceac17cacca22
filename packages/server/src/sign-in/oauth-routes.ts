import { OAuthError, requireClient, requireScope, type SignIn } from '@hedron/platform'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { toCodedError } from '../http/error-reply.ts'
import { acceptForms, type Form, formOf } from './form-body.ts'
import { visitOf } from './visit.ts'

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const refreshGrant = 'refresh_token'

/**
 * How programs log in (contract/cli-core.md section 4): the device flow (RFC 8628), refresh with rotation (RFC 6749 section 6) and
 * revocation (RFC 7009). They speak OAuth: forms in, and errors with its codes in `error`.
 */
export async function addOAuthRoutes(server: FastifyInstance, { devices, logins }: SignIn): Promise<void> {
  await server.register(async scope => {
    acceptForms(scope)
    scope.setErrorHandler(sendOAuthError)
    scope.addHook('onRequest', async (_request, reply) => {
      // RFC 6749 section 5.1.
      reply.header('cache-control', 'no-store').header('pragma', 'no-cache')
    })

    scope.post('/auth/device/code', async request => {
      const form = readFields(request)
      const client = clientOf(form)
      requireScope(form.get('scope'))
      return devices.start(client, visitOf(request))
    })

    scope.post('/auth/device/token', async request => {
      const form = readFields(request)
      requireGrant(form, deviceGrant)
      return devices.poll(required(form, 'device_code'), clientOf(form), visitOf(request))
    })

    scope.post('/auth/oauth2/refresh', async request => {
      const form = readFields(request)
      requireGrant(form, refreshGrant)
      requireScope(form.get('scope'))
      return logins.refresh(required(form, 'refresh_token'), clientOf(form), visitOf(request))
    })

    scope.post('/auth/oauth2/revoke', async (request, reply) => {
      const form = readFields(request)
      await logins.revoke(required(form, 'token'), clientOf(form), visitOf(request))
      // RFC 7009 section 2.2: whatever the token was.
      return reply.code(200).send({})
    })
  })
}

function readFields(request: FastifyRequest): Form {
  const form = formOf(request.body)
  if (form.size === 0) {
    throw new OAuthError('invalid_request', 'Send the fields as a form (application/x-www-form-urlencoded).')
  }
  return form
}

function required(form: Form, name: string): string {
  const value = form.get(name) ?? ''
  if (value === '') throw new OAuthError('invalid_request', `${name} is required.`)
  return value
}

const clientOf = (form: Form): string => requireClient(form.get('client_id'), form.get('client_secret'))

function requireGrant(form: Form, expected: string): void {
  const given = required(form, 'grant_type')
  if (given !== expected) throw new OAuthError('unsupported_grant_type', `grant_type must be ${expected} here.`)
}

function sendOAuthError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof OAuthError) {
    if (error.retryAfter !== null) reply.header('retry-after', error.retryAfter)
    return reply.code(error.status).send({ error: error.code, error_description: error.message })
  }
  const coded = toCodedError(error, request.id, request.routeOptions.bodyLimit)
  const isFault = coded.status >= 500
  if (isFault) request.log.error({ err: error, reqId: request.id }, 'a login failed')
  const code = isFault ? 'server_error' : 'invalid_request'
  return reply.code(coded.status).send({ error: code, error_description: coded.message })
}
