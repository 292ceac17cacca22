import type { FastifyReply, FastifyRequest } from 'fastify'

/** Aborts when the client goes away before it has its answer. */
export function abortSignalOf(_request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(new Error('the client went away'))
  })
  return controller.signal
}
