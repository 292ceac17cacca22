import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { linkPage, refusalPage } from '../pages/sign-in/link-page.ts'
import { formOf } from './form-body.ts'
import { newPasswordProblem } from './new-password.ts'
import type { PageTools } from './page-tools.ts'
import { visitOf } from './visit.ts'

const title = 'Choose a password'

/**
 * `/auth/link/{token}`: a person sets his first password, or a new one, with a link that an administrator made for him. Looking at it
 * changes nothing: mail programs and scanners follow links too.
 */
export function addLinkPages(scope: FastifyInstance, tools: PageTools): void {
  const { signIn, guard, page, cookies, redirect } = tools

  const gone = (request: FastifyRequest, reply: FastifyReply) =>
    page(request, reply, { title, status: 404 }, () =>
      refusalPage('This link is over', 'It was used, has expired or was replaced. Ask your administrator for another.'),
    )

  scope.get<{ Params: { token: string } }>('/auth/link/:token', async (request, reply) => {
    const { token } = request.params
    const link = await signIn.sessions.findLink(token, visitOf(request))
    if (!link) return gone(request, reply)
    return page(request, reply, { title }, formToken =>
      linkPage({ formToken, action: `/auth/link/${token}`, email: link.email, problem: null }),
    )
  })

  scope.post<{ Params: { token: string } }>('/auth/link/:token', async (request, reply) => {
    const { token } = request.params
    const visit = visitOf(request)
    const link = await signIn.sessions.findLink(token, visit)
    if (!link) return gone(request, reply)
    const form = formOf(request.body)
    const problem = guard.isOurs(request)
      ? newPasswordProblem(form)
      : 'The form had lain too long or was not ours. Send it once more.'
    if (problem !== null) {
      return page(request, reply, { title, status: 400 }, formToken =>
        linkPage({ formToken, action: `/auth/link/${token}`, email: link.email, problem }),
      )
    }
    const session = await signIn.sessions.useLink(token, form.get('next') ?? '', visit)
    if (!session) return gone(request, reply)
    cookies.set(request, reply, 'session', session.secret, session.endsAt)
    return redirect(reply, '/auth/account')
  })
}
