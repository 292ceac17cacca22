import { DataError } from '@hedron/platform'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { toCodedError } from '../http/error-reply.ts'

/** Answers with an error as clients of the data API read it (contract/behaviour/query.md section 3). */
export function sendDataError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('cache-control', 'no-store')
  if (error instanceof DataError) return reply.code(error.status).send({ ...error.body, requestId: request.id })
  const coded = toCodedError(error, request.id)
  if (coded.code === 'internal_error') request.log.error({ err: error, reqId: request.id }, 'a data request failed')
  return reply.code(coded.status).send({ error: coded.message, code: coded.code, requestId: request.id })
}
