import type { Person, SignIn } from '@hedron/platform'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cookies } from './cookies.ts'
import type { FormGuard } from './form-guard.ts'
import type { SendPage } from './page-reply.ts'

/** What the pages have in common. */
export interface PageTools {
  readonly signIn: SignIn
  readonly account: string
  readonly cookies: Cookies
  readonly guard: FormGuard
  readonly page: SendPage
  /** Who is signed in; undefined: nobody. */
  personOf(request: FastifyRequest): Promise<Person | undefined>
  /** Answers a form that was not sent from a page of ours. */
  refuseForm(request: FastifyRequest, reply: FastifyReply, person?: Person): FastifyReply
  redirect(reply: FastifyReply, path: string): FastifyReply
}
