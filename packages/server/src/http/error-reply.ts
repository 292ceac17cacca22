import { STATUS_CODES } from 'node:http'
import { CodedError, type ErrorResponse } from '@hedron/contract'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'

/** Turns what a handler threw into a coded error; what is no refusal is a fault of ours and is not shown. */
export function toCodedError(error: unknown, requestId: string, bodyLimit?: number): CodedError {
  if (error instanceof CodedError) return error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new CodedError('body_too_large', { limit: describeBytes(bodyLimit) })
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new CodedError('unsupported_media_type', { received: '', expected: 'application/json' })
  }
  const status = isFastifyError(error) ? error.statusCode : undefined
  if (status !== undefined && status >= 400 && status < 500 && error instanceof Error) {
    return new CodedError('invalid_request', { problems: error.message })
  }
  return new CodedError('internal_error', { requestId })
}

/** @param bytes undefined: the usual limit. */
const describeBytes = (bytes = 64 * 1024 * 1024): string =>
  bytes < 1024 * 1024 ? `${bytes / 1024} KiB` : `${bytes / (1024 * 1024)} MiB`

const isFastifyError = (error: unknown): error is FastifyError =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'

/** Answers an error of the platform API: `{ statusCode, error, message, code }` and what the error carries beside. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const coded = toCodedError(error, request.id, request.routeOptions.bodyLimit)
  if (coded.code === 'internal_error') request.log.error({ err: error, reqId: request.id }, 'a request failed')
  const body: ErrorResponse = {
    statusCode: coded.status,
    error: STATUS_CODES[coded.status] ?? 'Error',
    message: coded.message,
    code: coded.code,
  }
  if (coded.status === 401 && !reply.hasHeader('www-authenticate')) {
    reply.header('www-authenticate', 'Bearer realm="hedron"')
  }
  // The framework closes the connection, which resets it under a client that is still sending; kept open, the rest of the body is
  // passed over and the client reads why it was refused.
  if (coded.code === 'body_too_large') reply.removeHeader('connection')
  return reply.code(coded.status).send({ ...body, ...coded.data })
}
