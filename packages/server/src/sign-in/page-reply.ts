import type { Person } from '@hedron/platform'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Assets } from '../pages/assets.ts'
import type { Html } from '../pages/html.ts'
import { framed } from '../pages/sign-in/frame.ts'
import type { FormGuard } from './form-guard.ts'

/** Nothing runs, nothing is loaded but our own style sheets, and no other site shows these pages in a frame. */
const contentSecurityPolicy = (formTargets: string): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    `form-action ${formTargets}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
const strict = contentSecurityPolicy("'self'")

export interface PageParts {
  readonly title: string
  readonly person?: Person | undefined
  readonly status?: number
  /** An address to which the answer to the page's form may send the person. */
  readonly sendsTo?: string
}

/** Sends a page of the sign-in. */
export type SendPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  parts: PageParts,
  content: (formToken: string) => Html,
) => FastifyReply

export const createSendPage =
  (assets: Assets, guard: FormGuard): SendPage =>
  (request, reply, { title, person, status = 200, sendsTo }, content) => {
    const formToken = guard.tokenFor(request, reply)
    const who = person === undefined ? null : { email: person.email, formToken }
    const { markup } = framed({ title, assets, person: who }, content(formToken))
    guarded(reply)
    if (sendsTo !== undefined) {
      reply.header('content-security-policy', contentSecurityPolicy(`'self' ${formTarget(sendsTo)}`))
    }
    return reply.code(status).type('text/html; charset=utf-8').send(markup)
  }

export const guarded = (reply: FastifyReply): FastifyReply =>
  reply
    .header('content-security-policy', strict)
    .header('x-frame-options', 'DENY')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('cross-origin-resource-policy', 'same-origin')
    // Not `no-referrer`, with which browsers hide from us where a form comes from.
    .header('referrer-policy', 'same-origin')
    .header('cache-control', 'no-store')

/** As `form-action` has it, which holds for redirects of the answer too. It knows no addresses of IPv6, and no hosts of other schemes. */
function formTarget(address: string): string {
  const { protocol, origin, hostname } = new URL(address)
  const hasHost = (protocol === 'http:' || protocol === 'https:') && !hostname.startsWith('[')
  return hasHost ? origin : protocol
}
