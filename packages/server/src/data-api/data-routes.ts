import { Readable } from 'node:stream'
import type { DataApi } from '@hedron/platform'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parseJsonBody } from '../http/json-body.ts'
import { rememberBodies } from '../http/remember-bodies.ts'
import { RequestContext } from '../http/request-signal.ts'
import type { RequestMeter } from '../metrics/request-meter.ts'
import { type Answer, actionOf, type DataCaller, isProbe, nameOf, spanOf } from './actions.ts'
import { type Address, readAddress } from './address.ts'
import { largestBody, sendDataError } from './send-data-error.ts'
import { type SystemCaller, systemActionOf } from './system-actions.ts'

/**
 * The data API of every deployment at `/data/{deploymentId}`, with its branches below `/dev-mode/{branch}/`
 * (contract/behaviour/query.md). Branch names hold slashes, so the address is taken apart here rather than by the router.
 */
export async function addDataRoutes(parent: FastifyInstance, api: DataApi, meter: RequestMeter): Promise<void> {
  await parent.register(async server => bindDataRoutes(server, api, meter))
}

function bindDataRoutes(server: FastifyInstance, api: DataApi, meter: RequestMeter): void {
  const parseBody = rememberBodies(parseJsonBody)
  server.removeContentTypeParser('application/json')
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (_, body: string, done) => {
    done(null, parseBody(body))
  })
  server.decorateRequest('dataCaller', null)
  server.decorateRequest('systemCaller', null)
  server.decorateRequest('dataAddress', null)
  server.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/data/:deploymentId/*',
    bodyLimit: largestBody,
    errorHandler: (error: unknown, request, reply) => sendDataError(error, request, reply),
    onRequest: (request, _reply, done) => {
      // Before a body is read: whoever sends no valid token sends no large body either.
      const address = readAddress(request)
      request.dataAddress = address
      if (isProbe(address.action)) return done()
      const { deploymentId, branchName } = address
      if (address.isSystem) {
        return api.system.authenticate({ deploymentId, branchName, header: tokenHeader(request) }).then(caller => {
          request.systemCaller = caller
          api.admit(deploymentId)
        })
      }
      const enter = (caller: DataCaller) => {
        request.dataCaller = caller
        // After the token, so that nobody without one uses up what others may ask; cancelling makes room and is never refused.
        if (request.method !== 'DELETE') api.admit(deploymentId)
      }
      const caller = api.authenticate({ deploymentId, branchName, header: tokenHeader(request) })
      // Who was checked lately goes on at once.
      if (!(caller instanceof Promise)) enter(caller)
      else return caller.then(enter)
      return done()
    },
    onResponse: ({ dataAddress, dataCaller, systemCaller }, { statusCode, elapsedTime }, done) => {
      // Probes come every few seconds, and whoever has no token does not write into logs.
      if (dataAddress !== null && (dataCaller ?? systemCaller) !== null)
        api.requestLog.note(dataAddress, statusCode, elapsedTime)
      // What is no address of ours has any number of names.
      meter.count(dataAddress === null ? 'unknown' : countedName(dataAddress), statusCode, elapsedTime / 1000)
      done()
    },
    handler: (request, reply) => {
      const { deploymentId, action: name, isSystem } = request.dataAddress ?? readAddress(request)
      if (isSystem) return answerSystem(name, request, reply)
      if (isProbe(name)) return answerProbe(name, deploymentId, reply)
      const caller = request.dataCaller
      const found = actionOf(name, request.method)
      if (caller === null || !found) throw new Error('the data API was reached without a caller or an action')
      const { query } = request
      const parameters = request.method === 'POST' ? request.body : query
      const context = new RequestContext(request, reply, spanOf(request))
      const { action, rest } = found
      const answer = action.answer(api.operations, { caller, parameters, query, rest, context })
      return answer instanceof Promise ? answer.then(there => sendAnswer(there, reply)) : sendAnswer(answer, reply)
    },
  })

  async function answerSystem(name: string, request: FastifyRequest, reply: FastifyReply) {
    const { systemCaller: caller, body } = request
    const action = systemActionOf(name, request.method)
    if (caller === null || !action) throw new Error('the system API was reached without a caller or an action')
    const context = new RequestContext(request, reply, spanOf(request))
    return sendAnswer(JSON.stringify(await action.answer(api.system.operations, { caller, body, context })), reply)
  }

  async function answerProbe(name: 'livez' | 'readyz', deploymentId: number, reply: FastifyReply) {
    const healthy = name === 'livez' ? await api.exists(deploymentId) : await api.operations.ready(deploymentId)
    return reply.code(healthy ? 200 : 500).send({ health: healthy ? 'HEALTH' : 'DOWN' })
  }
}

const countedName = ({ action, isSystem }: Address): string => (isSystem ? `system/${action}` : nameOf(action))

/** From here on a text is on its way sooner as bytes: a socket that takes only part of a text has it written anew. */
const longText = 65_536

function sendAnswer(answer: Answer, reply: FastifyReply): FastifyReply {
  reply.header('cache-control', 'no-store').type('application/json; charset=utf-8')
  if (typeof answer === 'string') return reply.send(answer.length > longText ? Buffer.from(answer) : answer)
  if ('lines' in answer) return reply.send(Readable.from(answer.lines, { objectMode: false }))
  return reply.code(answer.status).send(answer.text)
}

declare module 'fastify' {
  interface FastifyRequest {
    dataCaller: DataCaller | null
    systemCaller: SystemCaller | null
    dataAddress: Address | null
  }
}

function tokenHeader(request: FastifyRequest): string | undefined {
  const own = request.headers['x-cube-authorization']
  return typeof own === 'string' && own !== '' ? own : request.headers.authorization
}
