import type { FastifyInstance } from 'fastify'
import { inWords } from '../pages/sign-in/frame.ts'
import { signInPage } from '../pages/sign-in/sign-in-page.ts'
import { formOf } from './form-body.ts'
import { localPath } from './local-path.ts'
import type { PageTools } from './page-tools.ts'
import { textOf } from './text-of.ts'
import { visitOf } from './visit.ts'

/** Where who signs in goes when nothing else was asked for. */
const home = '/auth/account'
const title = 'Sign in'

/** `/auth/sign-in?return=<path>&account=<name>` and `/auth/sign-out`. */
export function addSignInPages(scope: FastifyInstance, tools: PageTools): void {
  const { signIn, cookies, guard, page, personOf, redirect } = tools

  scope.get<{ Querystring: Record<string, unknown> }>('/auth/sign-in', async (request, reply) => {
    const returnTo = localPath(textOf(request.query.return)) ?? home
    if (await personOf(request)) return redirect(reply, returnTo)
    const account = textOf(request.query.account) ?? tools.account
    return page(request, reply, { title }, formToken =>
      signInPage({ formToken, account, returnTo, email: '', problem: null }),
    )
  })

  scope.post('/auth/sign-in', async (request, reply) => {
    const form = formOf(request.body)
    const email = form.get('email') ?? ''
    const account = form.get('account') ?? tools.account
    const returnTo = localPath(form.get('return')) ?? home
    const again = (status: number, problem: string) =>
      page(request, reply, { title, status }, formToken =>
        signInPage({ formToken, account, returnTo, email: email.slice(0, 320), problem }),
      )
    if (!guard.isOurs(request)) return again(403, 'The form had lain too long or was not ours. Send it once more.')
    const given = { account, email, password: form.get('password') ?? '' }
    const outcome = await signIn.sessions.signIn(given, visitOf(request), cookies.read(request, 'session'))
    if (outcome.kind === 'wait') {
      reply.header('retry-after', outcome.seconds)
      return again(429, `Too many attempts. Try again in ${inWords(outcome.seconds)}.`)
    }
    if (outcome.kind === 'refused') return again(401, 'E-mail or password is not right.')
    // A new secret at each sign-in: whoever planted one before holds nothing.
    cookies.set(request, reply, 'session', outcome.session.secret, outcome.session.endsAt)
    return redirect(reply, returnTo)
  })

  scope.post('/auth/sign-out', async (request, reply) => {
    if (!guard.isOurs(request)) return tools.refuseForm(request, reply)
    const secret = cookies.read(request, 'session')
    if (secret !== null) await signIn.sessions.signOut(secret)
    cookies.clear(request, reply, 'session')
    return redirect(reply, '/auth/sign-in')
  })
}
