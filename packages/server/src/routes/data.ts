import type { DataApi } from '@hedron/platform'
import { DataError } from '@hedron/platform'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { toCodedError } from '../http/error-reply.ts'
import { parseJsonBody } from '../http/json-body.ts'
import { rememberBodies } from '../http/remember-bodies.ts'
import { abortSignalOf } from '../http/request-signal.ts'

interface Address {
  readonly deploymentId: number
  /** Null: production. */
  readonly branchName: string | null
  /** What is asked for, for example `load` or `readyz`. */
  readonly action: string
}

const prefix = 'cubejs-api/v1/'

/**
 * The data API of every deployment at `/data/{deploymentId}`, with its branches below `/dev-mode/{branch}/`
 * (contract/behaviour/query.md). Branch names hold slashes, so the address is taken apart here rather than by the router.
 */
export async function addDataRoutes(parent: FastifyInstance, api: DataApi): Promise<void> {
  await parent.register(async server => bindDataRoutes(server, api))
}

function bindDataRoutes(server: FastifyInstance, api: DataApi): void {
  const parseBody = rememberBodies(parseJsonBody)
  server.removeContentTypeParser('application/json')
  server.addContentTypeParser('application/json', { parseAs: 'string' }, async (_: unknown, body: string) =>
    parseBody(body),
  )
  server.route({
    method: ['GET', 'POST'],
    url: '/data/:deploymentId/*',
    errorHandler: (error: unknown, request, reply) => sendDataError(error, request, reply),
    onRequest: async request => {
      // Before a body is read: whoever sends no valid token sends no large body either.
      const address = readAddress(request)
      if (!isProbe(address.action))
        request.dataCaller = await api.authenticate({ ...address, header: tokenHeader(request) })
    },
    handler: async (request, reply) => {
      const { deploymentId, action } = readAddress(request)
      if (isProbe(action)) {
        const healthy = action === 'livez' ? await api.exists(deploymentId) : await api.operations.ready(deploymentId)
        return reply.code(healthy ? 200 : 500).send({ health: healthy ? 'HEALTH' : 'DOWN' })
      }
      const answer = await answerAction(action, request, reply)
      reply.header('cache-control', 'no-store').type('application/json; charset=utf-8')
      return reply.send(answer)
    },
  })
  server.decorateRequest('dataCaller', null)

  async function answerAction(action: string, request: FastifyRequest, reply: FastifyReply): Promise<string> {
    const caller = request.dataCaller
    if (caller === null) throw new Error('the data API was reached without a caller')
    const parameters = request.method === 'POST' ? request.body : request.query
    const context = { requestId: spanOf(request), signal: abortSignalOf(request, reply) }
    switch (action) {
      case 'load':
        return (await api.operations.load(caller, parameters, context)).text
      case 'sql':
        return JSON.stringify(await api.operations.sql(caller, parameters))
      case 'explain':
        return JSON.stringify(await api.operations.explain(caller, parameters))
      case 'dry-run':
        return JSON.stringify(await api.operations.dryRun(caller, parameters))
      case 'meta':
        return JSON.stringify(await api.operations.meta(caller, { onlyViews: readFlag(request.query, 'onlyViews') }))
      default:
        throw notFound(request)
    }
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    dataCaller: Awaited<ReturnType<DataApi['authenticate']>> | null
  }
}

const actions = new Set(['load', 'sql', 'dry-run', 'explain', 'meta'])
const isProbe = (action: string) => action === 'readyz' || action === 'livez'

function readAddress(request: FastifyRequest): Address {
  const { deploymentId, '*': rest = '' } = request.params as { deploymentId: string; '*': string }
  const path = rest.replace(/\/+$/, '')
  const cut = Math.max(path.lastIndexOf(`/${prefix}`) + 1, path.endsWith('z') ? path.lastIndexOf('/') + 1 : 0)
  const [before, after] = [path.slice(0, cut), path.slice(cut)]
  const action = isProbe(after) ? after : after.startsWith(prefix) ? after.slice(prefix.length) : ''
  const [, branch] = /^dev-mode\/(.+)\/$/.exec(before) ?? []
  const known =
    (isProbe(action) || actions.has(action)) && (before === '' || branch !== undefined) && !before.includes('\0')
  if (!known || !/^[1-9]\d{0,14}$/.test(deploymentId)) throw notFound(request)
  return { deploymentId: Number(deploymentId), branchName: branch ?? null, action }
}

function notFound(request: FastifyRequest): DataError {
  const path = request.url.split('?', 1)[0]
  return new DataError(
    404,
    `There is no ${request.method} ${path}. The data API has /cubejs-api/v1/${[...actions].join(', ')}.`,
  )
}

function tokenHeader(request: FastifyRequest): string | undefined {
  const own = request.headers['x-cube-authorization']
  return typeof own === 'string' && own !== '' ? own : request.headers.authorization
}

/** The client's own request id goes on through its retries, which add `-span-<n>`. */
function spanOf(request: FastifyRequest): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\x21-\x7e]{1,200}$/.test(given) ? given : request.id
}

const readFlag = (query: unknown, name: string): boolean =>
  typeof query === 'object' && query !== null && ['true', '', '1'].includes(String(Reflect.get(query, name) ?? 'false'))

function sendDataError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('cache-control', 'no-store')
  if (error instanceof DataError) return reply.code(error.status).send({ ...error.body, requestId: request.id })
  const coded = toCodedError(error, request.id)
  if (coded.code === 'internal_error') request.log.error({ err: error, reqId: request.id }, 'a data request failed')
  return reply.code(coded.status).send({ error: coded.message, code: coded.code, requestId: request.id })
}
