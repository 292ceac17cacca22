import type { Visit } from '@hedron/platform'
import type { FastifyRequest } from 'fastify'

/** What the platform is told of a request beside who makes it. */
export const visitOf = (request: FastifyRequest): Visit => ({
  requestId: request.id,
  address: request.ip,
  agent: request.headers['user-agent'] ?? null,
})
