import { assistantScope, OAuthError, requireClient, requireScope, type SignIn } from '@hedron/platform'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { toCodedError } from '../http/error-reply.ts'
import { acceptForms, type Form, formOf } from './form-body.ts'
import { visitOf } from './visit.ts'

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const refreshGrant = 'refresh_token'
const codeGrant = 'authorization_code'
/** Names and addresses of a program. */
const largestRegistration = 32 * 1024

/**
 * How programs log in (contract/cli-core.md section 4): the device flow (RFC 8628), refresh with rotation (RFC 6749 section 6) and
 * revocation (RFC 7009); and for assistants (contract/behaviour/chat.md section 8) registration (RFC 7591) and codes (RFC 6749 section 4.1). They speak OAuth: forms in, and errors with its codes in `error`.
 */
export async function addOAuthRoutes(server: FastifyInstance, signIn: SignIn): Promise<void> {
  const { devices, logins, programs, authorization } = signIn
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
      return refresh(form, request)
    })

    scope.post('/auth/oauth2/token', async request => {
      const form = readFields(request)
      const grant = required(form, 'grant_type')
      if (grant === refreshGrant) return refresh(form, request)
      requireGrant(form, codeGrant)
      const shown = {
        code: required(form, 'code'),
        clientId: required(form, 'client_id'),
        redirectUri: form.get('redirect_uri'),
        verifier: required(form, 'code_verifier'),
        resource: form.get('resource'),
      }
      return authorization.exchange(shown, visitOf(request))
    })

    scope.post('/auth/oauth2/register', { bodyLimit: largestRegistration }, async (request, reply) =>
      reply.code(201).send(await programs.register(request.body, visitOf(request))),
    )

    scope.post('/auth/oauth2/revoke', async (request, reply) => {
      const form = readFields(request)
      await logins.revoke(required(form, 'token'), await anyClientOf(form), visitOf(request))
      // RFC 7009 section 2.2: whatever the token was.
      return reply.code(200).send({})
    })
  })

  /** A program that is known here, or one that registered itself. */
  async function anyClientOf(form: Form): Promise<string> {
    const id = form.get('client_id')
    return id !== undefined && programs.isOne(id) ? (await programs.require(id)).id : clientOf(form)
  }

  async function refresh(form: Form, request: FastifyRequest) {
    const client = await anyClientOf(form)
    const wanted = form.get('scope')?.trim() || undefined
    if (wanted !== undefined && wanted !== assistantScope) requireScope(wanted)
    const scope = wanted === assistantScope ? assistantScope : wanted === undefined ? undefined : 'all'
    return logins.refresh(required(form, 'refresh_token'), client, visitOf(request), scope)
  }
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
