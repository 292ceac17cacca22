import type { Person } from '@hedron/platform'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Assets } from '../pages/assets.ts'
import type { Html } from '../pages/html.ts'
import { framed } from '../pages/sign-in/frame.ts'
import type { FormGuard } from './form-guard.ts'

/** Nothing runs, nothing is loaded but our own style sheets, and no other site shows these pages in a frame. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export interface PageParts {
  readonly title: string
  readonly person?: Person | undefined
  readonly status?: number
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
  (request, reply, { title, person, status = 200 }, content) => {
    const formToken = guard.tokenFor(request, reply)
    const who = person === undefined ? null : { email: person.email, formToken }
    const { markup } = framed({ title, assets, person: who }, content(formToken))
    return guarded(reply).code(status).type('text/html; charset=utf-8').send(markup)
  }

export const guarded = (reply: FastifyReply): FastifyReply =>
  reply
    .header('content-security-policy', contentSecurityPolicy)
    .header('x-frame-options', 'DENY')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('cross-origin-resource-policy', 'same-origin')
    // Not `no-referrer`, with which browsers hide from us where a form comes from.
    .header('referrer-policy', 'same-origin')
    .header('cache-control', 'no-store')
