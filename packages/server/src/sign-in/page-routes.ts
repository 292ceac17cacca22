import type { SignIn } from '@hedron/platform'
import type { FastifyInstance } from 'fastify'
import { toCodedError } from '../http/error-reply.ts'
import { readAssets } from '../pages/assets.ts'
import { refusalPage } from '../pages/sign-in/link-page.ts'
import { addAccountPages } from './account-pages.ts'
import { addAuthorizePages } from './authorize-pages.ts'
import { createCookies } from './cookies.ts'
import { addDevicePages } from './device-pages.ts'
import { acceptForms } from './form-body.ts'
import { createFormGuard } from './form-guard.ts'
import { addLinkPages } from './link-pages.ts'
import { createSendPage, guarded } from './page-reply.ts'
import type { PageTools } from './page-tools.ts'
import { addSignInPages } from './sign-in-pages.ts'

export interface SignInPageNeeds {
  readonly signIn: SignIn
  /** Whose people sign in where the address names no other account. */
  readonly account: string
  readonly baseUrl: () => string
}

/** `/auth/…` for people at a browser: sign in and out, allow or deny a program, change the password (docs/sign-in.md). */
export async function addPeoplePages(server: FastifyInstance, needs: SignInPageNeeds): Promise<void> {
  const { signIn, account, baseUrl } = needs
  const assets = readAssets(new URL('../pages/assets/', import.meta.url))
  const cookies = createCookies(baseUrl)
  const guard = createFormGuard({ cookies, formToken: signIn.formToken, baseUrl })
  const page = createSendPage(assets, guard)
  const tools: PageTools = {
    signIn,
    account,
    cookies,
    guard,
    page,
    personOf: request => signIn.sessions.find(cookies.read(request, 'session')),
    refuseForm: (request, reply, person) =>
      page(request, reply, { title: 'Not done', person, status: 403 }, () =>
        refusalPage(
          'Not done',
          'This form was not sent from a page of this server, or you were signed out meanwhile. Go back, load the page again and send it once more.',
        ),
      ),
    redirect: (reply, path) => guarded(reply).redirect(path, 303),
  }

  await server.register(async scope => {
    acceptForms(scope)
    scope.setErrorHandler((error, request, reply) => {
      const { status, code, message } = toCodedError(error, request.id, request.routeOptions.bodyLimit)
      if (status >= 500) request.log.error({ err: error, reqId: request.id }, 'a page failed')
      return page(request, reply, { title: 'Not done', status }, () => refusalPage('Not done', `${message} (${code})`))
    })
    addSignInPages(scope, tools)
    addDevicePages(scope, tools)
    addAuthorizePages(scope, tools, baseUrl)
    addAccountPages(scope, tools)
    addLinkPages(scope, tools)
  })
}
