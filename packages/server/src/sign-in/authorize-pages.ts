import { type AuthorizationQuery, AuthorizationRefused, OAuthError } from '@hedron/platform'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authorizePage } from '../pages/sign-in/authorize-page.ts'
import { refusalPage } from '../pages/sign-in/link-page.ts'
import { formOf } from './form-body.ts'
import type { PageTools } from './page-tools.ts'
import { visitOf } from './visit.ts'

const title = 'Let an assistant ask'
const path = '/auth/oauth2/authorize'

/** What a program's request may say; anything else in it is not for us (RFC 6749 section 3.1). */
const names = [
  'client_id',
  'redirect_uri',
  'response_type',
  'code_challenge',
  'code_challenge_method',
  'scope',
  'resource',
  'state',
] as const
type Fields = ReadonlyMap<string, string>

/** `/auth/oauth2/authorize`: a person who is signed in lets a program in, or does not (RFC 6749 section 4.1). */
export function addAuthorizePages(scope: FastifyInstance, tools: PageTools, baseUrl: () => string): void {
  const { signIn, guard, page, personOf, redirect } = tools
  const { authorization } = signIn

  scope.get(path, async (request, reply) => {
    try {
      const fields = fieldsOf(request.query)
      const asked = await authorization.read(readQuery(fields))
      const person = await personOf(request)
      if (!person) return redirect(reply, `/auth/sign-in?return=${encodeURIComponent(pathWith(fields))}`)
      const { program, redirectUri } = asked
      const answeredAt = shownPlace(redirectUri)
      return page(request, reply, { title, person, sendsTo: redirectUri }, formToken =>
        authorizePage({
          ...person,
          formToken,
          fields,
          answeredAt,
          program: program.name,
          isSelfNamed: program.isSelfNamed,
        }),
      )
    } catch (error) {
      return refuse(request, reply, error)
    }
  })

  scope.post(path, async (request, reply) => {
    const person = await personOf(request)
    if (!person || !guard.isOurs(request)) return tools.refuseForm(request, reply, person)
    const form = formOf(request.body)
    try {
      const asked = await authorization.read(readQuery(form))
      const decision = form.get('decision')
      if (decision === 'allow') {
        const code = await authorization.allow(person, asked, visitOf(request))
        return answer(reply, asked, { code })
      }
      if (decision === 'deny') {
        return answer(reply, asked, { error: 'access_denied', error_description: 'The person did not allow it.' })
      }
      throw new OAuthError('invalid_request', 'Choose one: allow or deny.')
    } catch (error) {
      return refuse(request, reply, error)
    }
  })

  /** Sends the person back to the program, which learns by `iss` who answers it (RFC 9207). */
  function answer(
    reply: FastifyReply,
    { redirectUri, state }: { readonly redirectUri: string; readonly state: string | undefined },
    parameters: Readonly<Record<string, string>>,
  ): FastifyReply {
    const url = new URL(redirectUri)
    for (const [name, value] of Object.entries({ ...parameters, iss: baseUrl() })) url.searchParams.set(name, value)
    if (state !== undefined) url.searchParams.set('state', state)
    return redirect(reply, url.href)
  }

  async function refuse(request: FastifyRequest, reply: FastifyReply, error: unknown): Promise<FastifyReply> {
    if (error instanceof AuthorizationRefused) {
      return answer(reply, error, { error: error.code, error_description: error.message })
    }
    if (!(error instanceof OAuthError)) throw error
    const { message } = error
    return page(request, reply, { title, status: 400 }, () => refusalPage('This program asked wrongly', message))
  }
}

/** @throws {OAuthError} for one that is given twice (RFC 6749 section 3.1). */
function fieldsOf(query: unknown): Fields {
  const given = Object.entries(query ?? {}).filter(([name]) => names.some(known => known === name))
  return new Map(
    given.map(([name, value]: [string, unknown]) => {
      if (typeof value !== 'string') throw new OAuthError('invalid_request', `${name} is given more than once.`)
      return [name, value]
    }),
  )
}

const readQuery = (fields: Fields): AuthorizationQuery => ({
  clientId: fields.get('client_id'),
  redirectUri: fields.get('redirect_uri'),
  responseType: fields.get('response_type'),
  challenge: fields.get('code_challenge'),
  challengeMethod: fields.get('code_challenge_method'),
  scope: fields.get('scope'),
  resource: fields.get('resource'),
  state: fields.get('state'),
})

const pathWith = (fields: Fields): string => `${path}?${new URLSearchParams([...fields])}`

/** The host that gets the answer, or the scheme of a program that has one of its own. */
function shownPlace(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri)
  return protocol === 'http:' || protocol === 'https:' ? host : `${protocol}…`
}
