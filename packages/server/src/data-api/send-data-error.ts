import type { FastifyReply, FastifyRequest } from 'fastify'
import { spanOf } from './actions.ts'
import { isOfBranch } from './address.ts'
import { describeDataError } from './describe-data-error.ts'

/** What the largest query that can be planned needs, in bytes; reading more would keep others waiting. */
export const largestBody = 8 * 2 ** 20

/**
 * Answers with an error as clients of the data API read it (contract/behaviour/query.md section 3): the request's id is in the body
 * where a model is being worked on, and in production in the header `x-request-id` alone.
 */
export function sendDataError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('cache-control', 'no-store')
  const more = isOfBranch(request) || request.dataCaller?.isPlayground ? { requestId: spanOf(request) } : {}
  if (error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    // As in `sendError`: kept open, the client reads why it was refused.
    reply.removeHeader('connection')
    return reply
      .code(413)
      .send({ error: `The body is larger than ${largestBody / 2 ** 20} MiB.`, code: 'body_too_large', ...more })
  }
  const { status, body, retryAfter, isFault } = describeDataError(error, request.id)
  if (isFault) request.log.error({ err: error, reqId: request.id }, 'a data request failed')
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  return reply.code(status).send({ ...body, ...more })
}
