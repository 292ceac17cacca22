import { CodedError, coerceStrings, explainIssues, type Route, type UploadedFile } from '@hedron/contract'
import type { CallContext, Caller } from '@hedron/platform'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type * as z from 'zod'
import { readMultipart } from './multipart.ts'
import { refuseUnstorableText } from './refuse-text.ts'
import { abortSignalOf } from './request-signal.ts'

/** The function behind a route, after its types were checked where the platform is put together. */
export type Handler = (caller: Caller | null, input: RouteParts, context: CallContext) => Promise<unknown>

export interface RouteParts {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly files: readonly UploadedFile[] | undefined
}

export type Authenticate = (authorization: string | undefined) => Promise<Caller>

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
}

/** Bytes that somebody without a credential may send. */
const publicBody = 16 * 1024

/**
 * Binds a route of the contract: authenticates before a body is read, checks path, query and body against the contract's
 * schemas, calls, answers JSON.
 */
export function bindRoute(server: FastifyInstance, route: Route, authenticate: Authenticate, handler: Handler): void {
  server.route({
    method: route.method.toUpperCase(),
    url: route.path.replace(/\{(\w+)\}/g, ':$1'),
    ...(route.access === 'public' ? { bodyLimit: publicBody } : {}),
    onRequest: async request => {
      if (route.access !== 'public') request.caller = await authenticate(request.headers.authorization)
    },
    handler: async (request, reply) => {
      const { caller } = request
      if (caller === null && route.access !== 'public') {
        throw new Error(`${route.operationId} was reached without a caller`)
      }
      const parts = await readParts(route, request)
      const context = { requestId: request.id, address: request.ip, signal: abortSignalOf(request, reply) }
      const result = await handler(caller, parts, context)
      reply.header('cache-control', 'no-store')
      return route.status === 204 ? reply.code(204).send() : reply.send(result)
    },
  })
}

async function readParts(route: Route, request: FastifyRequest): Promise<RouteParts> {
  const params = parse(route.params, coerce(route.params, request.params), 'path')
  const query = parse(route.query, coerce(route.query, request.query), 'query')
  if (route.consumes === 'multipart') {
    const { fields, files } = await readMultipart(request)
    return { params, query, body: parse(route.body, fields, 'body'), files }
  }
  if (request.isMultipart()) {
    const received = request.headers['content-type'] ?? ''
    throw new CodedError('unsupported_media_type', { received, expected: 'application/json' })
  }
  const absent = request.body === undefined || request.body === null
  const body = absent && route.bodyOptional ? {} : request.body
  if (route.body && absent && !route.bodyOptional) {
    throw new CodedError('invalid_request', { problems: 'body: is required; send one JSON object' })
  }
  return { params, query, body: parse(route.body, body, 'body'), files: undefined }
}

function coerce(schema: z.ZodObject | undefined, raw: unknown): Record<string, unknown> | undefined {
  if (schema === undefined) return undefined
  // The framework's router gives strings, and lists of them for repeated query keys.
  return coerceStrings(schema, raw as Record<string, string | string[] | undefined>)
}

function parse(schema: z.ZodType | undefined, value: unknown, where: string): unknown {
  if (schema === undefined) return undefined
  refuseUnstorableText(value, where)
  const { success, data, error } = schema.safeParse(value)
  if (!success) throw new CodedError('invalid_request', { problems: explainIssues(error.issues, where) })
  return data
}
