import type { FastifyReply, FastifyRequest } from 'fastify'

/** `session` says who is signed in; `form` ties a form to a browser in which nobody is. */
type CookieName = 'session' | 'form'

/** Cookies that are read by this server alone, and sent with no request that another site's page makes but plain links. */
export interface Cookies {
  read(request: FastifyRequest, name: CookieName): string | null
  set(request: FastifyRequest, reply: FastifyReply, name: CookieName, value: string, endsAt: Date | null): void
  clear(request: FastifyRequest, reply: FastifyReply, name: CookieName): void
}

/** @param baseUrl how clients reach the service: https there means https, whatever the proxy in between speaks. */
export function createCookies(baseUrl: () => string): Cookies {
  const isSecure = (request: FastifyRequest) => request.protocol === 'https' || baseUrl().startsWith('https:')
  // A browser takes a cookie of that beginning only over https, for this host alone and for all of it.
  const nameOf = (request: FastifyRequest, name: CookieName) => `${isSecure(request) ? '__Host-' : ''}hedron-${name}`

  const write: Cookies['set'] = (request, reply, name, value, endsAt) => {
    const parts = [`${nameOf(request, name)}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax']
    if (isSecure(request)) parts.push('Secure')
    if (endsAt !== null) parts.push(`Expires=${endsAt.toUTCString()}`)
    reply.header('set-cookie', parts.join('; '))
  }

  return {
    read(request, name) {
      const wanted = nameOf(request, name)
      for (const pair of (request.headers.cookie ?? '').split(';')) {
        const at = pair.indexOf('=')
        if (pair.slice(0, at).trim() === wanted) return pair.slice(at + 1).trim()
      }
      return null
    },
    set: write,
    clear: (request, reply, name) => write(request, reply, name, '', new Date(0)),
  }
}
