import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cookies } from './cookies.ts'
import { formOf } from './form-body.ts'
import { isSameSite } from './same-site.ts'

interface GuardNeeds {
  readonly cookies: Cookies
  readonly formToken: (cookie: string) => string
  readonly baseUrl: () => string
}

/** Tells a form that was sent from a page of ours, to this browser, from one that another site's page sends in its name. */
export function createFormGuard({ cookies, formToken, baseUrl }: GuardNeeds) {
  return {
    /** The hidden field of a form; a browser in which nobody is signed in gets a cookie to tie it to. */
    tokenFor(request: FastifyRequest, reply: FastifyReply): string {
      const known = cookies.read(request, 'session') ?? cookies.read(request, 'form')
      if (known !== null && known !== '') return formToken(known)
      const fresh = randomBytes(24).toString('base64url')
      cookies.set(request, reply, 'form', fresh, null)
      return formToken(fresh)
    },

    /** Whether the form may be believed. */
    isOurs(request: FastifyRequest): boolean {
      if (!isSameSite(request, baseUrl())) return false
      const given = formOf(request.body).get('form_token') ?? ''
      return (['session', 'form'] as const).some(name => {
        const cookie = cookies.read(request, name)
        return cookie !== null && cookie !== '' && isEqual(given, formToken(cookie))
      })
    },
  }
}
export type FormGuard = ReturnType<typeof createFormGuard>

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
