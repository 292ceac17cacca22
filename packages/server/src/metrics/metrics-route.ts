import { createHash, timingSafeEqual } from 'node:crypto'
import { CodedError } from '@hedron/contract'
import type { ChatApi } from '@hedron/platform'
import type { Engines, QueryService } from '@hedron/query'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { DataSockets } from '../data-socket/data-sockets.ts'
import { sendError } from '../http/error-reply.ts'
import type { ChatMeter } from './chat-metrics.ts'
import { writeMetrics } from './exposition.ts'
import { createProcessMeter } from './process-metrics.ts'
import { gauge, queryMetrics } from './query-metrics.ts'
import type { RequestMeter } from './request-meter.ts'

interface MetricsNeeds {
  readonly queryService: Pick<QueryService, 'statistics'>
  readonly requests: RequestMeter
  readonly engines: Pick<Engines, 'count'>
  readonly sockets: DataSockets
  readonly chat: Pick<ChatApi, 'statistics'>
  readonly chats: ChatMeter
  /** Whoever shows it may read; null: whoever asks from this machine. */
  readonly token: string | null
}

/**
 * `GET /metrics` in Prometheus' text format (DESIGN.md, Operations). It names no deployment and no caller, and is yet nobody's business: to
 * all others it is not there.
 */
export function addMetrics(
  server: FastifyInstance,
  { queryService, requests, engines, sockets, chat, chats, token }: MetricsNeeds,
): void {
  const ofProcess = createProcessMeter()
  server.addHook('onClose', async () => ofProcess.close())
  server.get('/metrics', async (request, reply) => {
    if (!mayRead(request, token)) {
      return sendError(new CodedError('route_not_found', { method: 'GET', path: '/metrics' }), request, reply)
    }
    const connections = await new Promise<number>(resolve => {
      server.server.getConnections((_, count) => resolve(count))
    })
    const text = writeMetrics([
      ...requests.metrics(),
      ...queryMetrics(queryService.statistics()),
      ...chats.metrics(chat.statistics()),
      gauge('hedron_engine_processes', 'Processes in which DuckDB computes, or could.', engines.count()),
      gauge('hedron_web_sockets', 'Web sockets of the data API that are open.', sockets.open()),
      gauge('hedron_web_socket_queries', 'Queries that are run again for who subscribed.', sockets.subscribed()),
      {
        name: 'hedron_http_connections',
        help: 'Connections of clients that are open.',
        type: 'gauge',
        samples: [{ value: connections }],
      },
      ...ofProcess.metrics(),
    ])
    return reply.header('cache-control', 'no-store').type('text/plain; version=0.0.4; charset=utf-8').send(text)
  })
}

const ofThisMachine = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/

function mayRead({ ip, headers }: FastifyRequest, token: string | null): boolean {
  if (token === null) return ofThisMachine.test(ip)
  const [, shown = ''] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? []
  return timingSafeEqual(digest(shown), digest(token))
}

const digest = (text: string) => createHash('sha256').update(text).digest()
