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

/**
 * Facts of a request with that signal, which is made when it is first looked at: most requests have their answer before anybody does.
 *
 * A class, since an accessor in an object literal gives each object a shape of its own, which lives in the heap's old part and keeps
 * the whole request alive until that is collected.
 */
export class RequestContext {
  readonly requestId: string
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  #signal: AbortSignal | undefined

  constructor(request: FastifyRequest, reply: FastifyReply, requestId: string) {
    this.#request = request
    this.#reply = reply
    this.requestId = requestId
  }

  get signal(): AbortSignal {
    this.#signal ??= abortSignalOf(this.#request, this.#reply)
    return this.#signal
  }
}
