import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Asset, readAssets } from './assets.ts'
import type { HealthKey } from './health.ts'
import { homePage } from './home-page.ts'

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  // The reference is drawn from a document that is fetched: its text must never become markup.
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const readinessPatience = 1_000

/**
 * Adds the page at `/`: what runs here, its state, first commands to copy, and a reference that the browser makes from
 * `/api/v1/spec`. It needs nothing but `/readyz` and that document, and loads nothing from elsewhere.
 */
export function addPage(server: FastifyInstance, about: { readonly version: string }): void {
  const assets = readAssets(new URL('./assets/', import.meta.url))

  server.get('/', async (request, reply) => {
    const page = homePage({
      version: about.version,
      health: await healthOf(server),
      baseUrl: baseUrlOf(request),
      assets,
    })
    return guarded(reply)
      .header('content-security-policy', contentSecurityPolicy)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(page.markup)
  })

  server.get<{ Params: { hash: string; name: string } }>('/assets/:hash/:name', async (request, reply) => {
    const { hash, name } = request.params
    const asset = hash === assets.hash ? assets.files.get(name) : undefined
    return asset === undefined ? reply.callNotFound() : sendAsset(asset, request, reply)
  })
}

function sendAsset(asset: Asset, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  guarded(reply).header('cache-control', 'public, max-age=31536000, immutable').header('etag', asset.tag)
  if (isKnown(request.headers['if-none-match'], asset.tag)) return reply.code(304).send()
  return reply.type(asset.type).send(asset.content)
}

/** `If-None-Match` compares weakly (RFC 9110, 13.1.2). */
const isKnown = (header: string | undefined, tag: string): boolean =>
  header?.split(',').some(given => given.trim() === '*' || given.trim().replace(/^W\//, '') === tag) ?? false

const guarded = (reply: FastifyReply): FastifyReply =>
  reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer')

/** Asks the server itself, so that the page never says another thing than `/readyz` does. */
async function healthOf(server: FastifyInstance): Promise<HealthKey> {
  try {
    const { statusCode } = await server.inject({ url: '/readyz', signal: AbortSignal.timeout(readinessPatience) })
    return statusCode === 200 ? 'ready' : 'starting'
  } catch (error) {
    server.log.warn({ err: error }, 'the state of the service could not be read for the page')
    return 'starting'
  }
}

/** Where the reader reached the server, if the request says so in a form that can stand in a command. */
function baseUrlOf({ host, protocol, socket }: FastifyRequest): string {
  const isHost = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(host)
  const scheme = protocol === 'https' ? 'https' : 'http'
  return isHost ? `${scheme}://${host}` : `http://localhost:${socket.localPort ?? 4000}`
}
