import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { EmbedPageAddress, Platform } from '@hedron/platform'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { builtFolder, readBuiltPages } from './built-pages.ts'
import { embedPolicy } from './embed-policy.ts'
import { embedShell, type Surface } from './embed-shell.ts'
import { addPrivateSessions } from './private-sessions.ts'

interface EmbedPagesNeed {
  readonly platform: Pick<Platform, 'embedFraming' | 'openPrivateSession' | 'signIn'>
  /** How clients reach the service; the data API is there. */
  readonly baseUrl: () => string
}

const yearOfSeconds = 31_536_000

/**
 * Adds the embedded pages (contract/behaviour/embed.md section 4), the files that they load, and `/embed.js` for the pages of hosts. The
 * pages themselves know nobody: who looks is found by the API that they call.
 */
export async function addEmbedPages(server: FastifyInstance, need: EmbedPagesNeed): Promise<void> {
  await server.register(fastifyStatic, {
    root: fileURLToPath(new URL('assets/', builtFolder)),
    prefix: '/embed/assets/',
    decorateReply: false,
    index: false,
    // Names change with the content; a brotli and a gzip of each lie beside it.
    preCompressed: true,
    immutable: true,
    maxAge: yearOfSeconds * 1000,
    setHeaders: reply => {
      reply.header('cross-origin-resource-policy', 'cross-origin')
    },
  })

  server.get<{ Params: { publicId: string } }>('/embed/dashboard/:publicId', (request, reply) =>
    send('dashboard', { publicId: request.params.publicId }, request, reply),
  )
  server.get('/embed/chat', (request, reply) => send('chat', {}, request, reply))
  const app = (request: FastifyRequest<{ Params: { deploymentId: string } }>, reply: FastifyReply) =>
    send('app', { deploymentId: Number(request.params.deploymentId) }, request, reply)
  server.get('/embed/d/:deploymentId(^[1-9]\\d{0,9}$)/app', app)
  server.get('/embed/d/:deploymentId(^[1-9]\\d{0,9}$)/app/*', app)

  addPrivateSessions(server, need)
  addHostFile('embed.js', 'text/javascript; charset=utf-8')
  addHostFile('embed.d.ts', 'text/plain; charset=utf-8')

  async function send(surface: Surface, page: EmbedPageAddress, request: FastifyRequest, reply: FastifyReply) {
    const url = new URL(request.url, 'http://page')
    const sessionId = url.searchParams.get('session') ?? url.searchParams.get('sessionId') ?? undefined
    const wish = url.searchParams.get('locale')
    url.searchParams.delete('session')
    url.searchParams.delete('sessionId')
    const [built, rules] = await Promise.all([readBuiltPages(), need.platform.embedFraming({ ...page, sessionId })])
    if (built === null) request.log.error('the embedded pages were not built: npm start does, npm run build:pages too')
    return reply
      .code(built === null ? 503 : 200)
      .header('content-security-policy', embedPolicy(rules.origins, new URL(need.baseUrl()).origin))
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .header('permissions-policy', 'camera=(), geolocation=(), microphone=()')
      .type('text/html; charset=utf-8')
      .send(embedShell(surface, built, [wish, rules.locale], url.pathname + url.search))
  }

  /** A file that pages of hosts name, so that its address stays; browsers ask whether it has changed. */
  function addHostFile(name: string, type: string): void {
    server.get(`/${name}`, async (request, reply) => {
      const content = await readFile(new URL(name, builtFolder)).catch(() => null)
      if (content === null) return reply.callNotFound()
      const tag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 16)}"`
      reply
        .header('cache-control', 'public, max-age=300')
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('etag', tag)
      if (request.headers['if-none-match'] === tag) return reply.code(304).send()
      return reply.type(type).send(content)
    })
  }
}
