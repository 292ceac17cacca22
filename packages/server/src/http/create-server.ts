import cors from '@fastify/cors'
import multipart from '@fastify/multipart'
import { CodedError, openApiDocument, type Route, routeList, routes } from '@hedron/contract'
import type { Platform } from '@hedron/platform'
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify'
import { type Authenticate, bindRoute, type Handler } from './bind-route.ts'
import { sendError } from './error-reply.ts'
import { parseJsonBody } from './json-body.ts'
import { bindLegacyDeploy } from './legacy-deploy.ts'
import { multipartLimits } from './multipart.ts'

export interface ServerNeeds {
  readonly logger: FastifyBaseLogger
  readonly baseUrl: () => string
  readonly newRequestId: () => string
  readonly authenticate: Authenticate
  /** A function for each operation of the contract but `getSpec`. */
  readonly operations: Readonly<Record<string, Handler>>
  /** Told of each call that is refused for the rights of who calls. */
  readonly noteRefusal: Platform['noteRefusal']
  /** Adds what is not of the platform API: the data API, git, the page. */
  readonly extend: (server: FastifyInstance) => Promise<void> | void
  readonly isReady: () => Promise<boolean>
}

const largestBody = 64 * 1024 * 1024

/** The HTTP server with every route of the contract bound; a route without a function fails here, before anything is served. */
export async function createServer(need: ServerNeeds): Promise<FastifyInstance> {
  const server = fastify({
    loggerInstance: need.logger,
    // A logger for each request costs more than most requests log; who logs names the request.
    childLoggerFactory: logger => logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: largestBody,
    trustProxy: 'loopback',
    genReqId: need.newRequestId,
    requestTimeout: 120_000,
    // Clients that offer another protocol, as Java's offers HTTP/2, are answered in this one.
    http: { shouldUpgradeCallback: request => request.headers.upgrade?.toLowerCase() === 'websocket' },
    forceCloseConnections: 'idle',
    // An address that cannot be decoded reaches no route and no error handler.
    frameworkErrors: (error, request, reply) => sendError(error, request, reply),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2048 },
  })
  server.decorateRequest('caller', null)
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: unknown, body: string) =>
    parseJsonBody(body),
  )
  // Clients of the field send empty bodies with and without a type.
  server.addContentTypeParser(
    '*',
    { parseAs: 'string' },
    async (request: { headers: Record<string, unknown> }, body: string) => {
      if (body.trim() === '') return undefined
      throw new CodedError('unsupported_media_type', {
        received: String(request.headers['content-type'] ?? ''),
        expected: 'application/json',
      })
    },
  )
  await server.register(multipart, {
    preservePath: true,
    limits: {
      fileSize: multipartLimits.fileBytes,
      files: multipartLimits.files,
      fields: multipartLimits.fields,
      fieldSize: multipartLimits.fieldBytes,
    },
    throwFileSizeLimit: false,
  })
  await server.register(cors, {
    origin: true,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    maxAge: 86_400,
    exposedHeaders: ['x-request-id'],
  })
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    done()
  })
  if (need.logger.level === 'debug' || need.logger.level === 'trace') {
    server.addHook('onResponse', async (request, reply) => {
      const { method, url, id: reqId } = request
      request.log.debug({ reqId, method, url, status: reply.statusCode, ms: reply.elapsedTime }, 'answered')
    })
  }
  server.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  server.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? request.url
    const allowed = methodsOf(path)
    const error =
      allowed.length > 0
        ? new CodedError('method_not_allowed', { method: request.method, path, allowed: allowed.join(', ') })
        : new CodedError('route_not_found', { method: request.method, path })
    if (allowed.length > 0) reply.header('allow', allowed.join(', '))
    return sendError(error, request, reply)
  })

  for (const route of routeList) {
    if (route !== routes.getSpec) bindRoute(server, route, need.authenticate, handlerOf(route))
  }
  bindLegacyDeploy(server, need.authenticate, handlerOf)
  server.get(routes.getSpec.path, async () => openApiDocument(routeList, need.baseUrl()))
  server.get('/livez', async () => ({ health: 'HEALTH' }))
  server.get('/readyz', async (_request, reply) => {
    const ready = await need.isReady()
    return reply.code(ready ? 200 : 500).send({ health: ready ? 'HEALTH' : 'DOWN' })
  })
  await need.extend(server)
  return server

  function handlerOf(route: Route): Handler {
    const handler = need.operations[route.operationId]
    if (handler === undefined) throw new Error(`operation ${route.operationId} is in the contract but bound to nothing`)
    return async (caller, parts, context) => {
      try {
        return await handler(caller, parts, context)
      } catch (error) {
        if (caller !== null && error instanceof CodedError && error.status === 403) {
          need.noteRefusal(caller, context, { operation: route.operationId, code: error.code })
        }
        throw error
      }
    }
  }
}

/** Methods that the contract has for a path, for an answer to one that it has not. */
function methodsOf(path: string): string[] {
  const wanted = path.replace(/\/+$/, '').split('/')
  return routeList
    .filter(route => {
      const parts = route.path.split('/')
      return (
        parts.length === wanted.length && parts.every((part, index) => part.startsWith('{') || part === wanted[index])
      )
    })
    .map(route => route.method.toUpperCase())
}
