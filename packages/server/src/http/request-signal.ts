import type { FastifyReply, FastifyRequest } from 'fastify'

/** Aborts when the client goes away before it has its answer. */
export function abortSignalOf(_request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const leave = () => {
    if (!reply.raw.writableFinished) controller.abort(new Error('the client went away'))
  }
  if (reply.raw.closed) leave()
  else reply.raw.once('close', leave)
  return controller.signal
}

/** The same, made when it is first looked at: most requests have their answer before anybody does. */
export function lazySignalOf(request: FastifyRequest, reply: FastifyReply): { readonly signal: AbortSignal } {
  let made: AbortSignal | undefined
  return {
    get signal() {
      made ??= abortSignalOf(request, reply)
      return made
    },
  }
}
