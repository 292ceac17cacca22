import type { FastifyRequest } from 'fastify'

/** By what browsers say of where a request comes from; programs that say nothing are no browsers, and carry nobody's cookies. */
export function isSameSite({ headers, host }: FastifyRequest, baseUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin } = headers
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const from = new URL(origin).host
  return from === host || from === new URL(baseUrl).host
}
