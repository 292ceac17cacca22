import { clientName, type Person } from '@hedron/platform'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accountPage } from '../pages/sign-in/account-page.ts'
import { inWords } from '../pages/sign-in/frame.ts'
import { formOf } from './form-body.ts'
import { newPasswordProblem } from './new-password.ts'
import type { PageTools } from './page-tools.ts'
import { visitOf } from './visit.ts'

const title = 'Your account'
const toSignIn = `/auth/sign-in?return=${encodeURIComponent('/auth/account')}`

/** `/auth/account`: who is signed in, what is logged in as him, and his password. */
export function addAccountPages(scope: FastifyInstance, tools: PageTools): void {
  const { signIn, guard, page, personOf, redirect } = tools

  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    person: Person,
    said: { readonly status?: number; readonly problem?: string; readonly done?: string } = {},
  ) => {
    const logins = await signIn.logins.list(person)
    const { email, accountName, isAdmin } = person
    return page(request, reply, { title, person, status: said.status ?? 200 }, formToken =>
      accountPage({
        formToken,
        email,
        accountName,
        isAdmin,
        logins: logins.map(login => ({ ...login, client: login.clientName ?? clientName(login.clientId) })),
        problem: said.problem ?? null,
        done: said.done ?? null,
      }),
    )
  }

  scope.get('/auth/account', async (request, reply) => {
    const person = await personOf(request)
    return person ? show(request, reply, person) : redirect(reply, toSignIn)
  })

  scope.post('/auth/account/password', async (request, reply) => {
    const person = await personOf(request)
    if (!person || !guard.isOurs(request)) return tools.refuseForm(request, reply, person)
    const form = formOf(request.body)
    const problem = newPasswordProblem(form)
    if (problem !== null) return show(request, reply, person, { status: 400, problem })
    const [current, next] = [form.get('current') ?? '', form.get('next') ?? '']
    const outcome = await signIn.sessions.changePassword(person, current, next, visitOf(request))
    if (outcome === 'changed') return show(request, reply, person, { done: 'The password is changed.' })
    if (outcome === 'same') {
      return show(request, reply, person, { status: 400, problem: 'The new password is the current one.' })
    }
    if (outcome === 'refused') {
      return show(request, reply, person, { status: 403, problem: 'The current password is not right.' })
    }
    reply.header('retry-after', outcome.seconds)
    const wait = `Too many attempts. Try again in ${inWords(outcome.seconds)}.`
    return show(request, reply, person, { status: 429, problem: wait })
  })

  scope.post('/auth/account/end-login', async (request, reply) => {
    const person = await personOf(request)
    if (!person || !guard.isOurs(request)) return tools.refuseForm(request, reply, person)
    const ended = await signIn.logins.end(person, formOf(request.body).get('login') ?? '', visitOf(request))
    const done = ended ? 'The login is ended.' : 'That login had ended already.'
    return show(request, reply, person, { done })
  })
}
