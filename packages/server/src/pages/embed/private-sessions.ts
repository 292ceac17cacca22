import { CodedError } from '@hedron/contract'
import type { Platform } from '@hedron/platform'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { createCookies } from '../../sign-in/cookies.ts'
import { isSameSite } from '../../sign-in/same-site.ts'

interface PrivateSessionsNeed {
  readonly platform: Pick<Platform, 'openPrivateSession' | 'signIn'>
  readonly baseUrl: () => string
}

const Page = z.object({
  publicId: z.string().min(1).max(100).optional(),
  deploymentId: z.number().int().positive().optional(),
})

/**
 * `POST /embed/private-session`: an embedded page that came without a session asks whether somebody is signed in with this browser
 * (contract/behaviour/embed.md section 3). Answers with the id of a session, or 401.
 *
 * It is the one address beside the sign-in pages that a cookie opens. The cookie is `SameSite=Lax`, so a browser sends none from a frame in
 * another site's page; and a request that a page of ours has not made is refused, whatever it carries.
 */
export function addPrivateSessions(server: FastifyInstance, { platform, baseUrl }: PrivateSessionsNeed): void {
  const cookies = createCookies(baseUrl)

  server.post('/embed/private-session', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const read = Page.safeParse(request.body ?? {})
    if (!read.success) {
      const [issue] = read.error.issues
      throw new CodedError('invalid_request', { problems: `${issue?.path.join('.') || 'body'}: ${issue?.message}` })
    }
    const signedIn = isSameSite(request, baseUrl()) ? cookies.read(request, 'session') : null
    const person = await platform.signIn.sessions.find(signedIn)
    if (person === undefined) throw new CodedError('not_authenticated', { reason: 'Nobody is signed in.' })
    const sessionId = await platform.openPrivateSession(person, read.data, {
      requestId: request.id,
      address: request.ip,
      signal: AbortSignal.timeout(20_000),
    })
    return { sessionId }
  })
}
