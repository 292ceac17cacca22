import type { QueryRequest, QueryResult, QueryService } from '@hedron/query'

/**
 * Results that one request needs all of.
 *
 * A class, since an accessor in an object literal gives each object a shape of its own (see `RequestContext` of the server).
 */
export class ResultsTogether {
  readonly #queryService: Pick<QueryService, 'putBack'>
  readonly #context: { readonly signal: AbortSignal }
  readonly #taken: { readonly request: QueryRequest; readonly result: QueryResult }[] = []
  #isToWait = false
  #leaving: AbortController | undefined
  #signal: AbortSignal | undefined

  /** @param context its signal aborts when whoever asked is gone */
  constructor(queryService: Pick<QueryService, 'putBack'>, context: { readonly signal: AbortSignal }) {
    this.#queryService = queryService
    this.#context = context
  }

  /** Aborts when nobody waits for the results any longer: `leave` was called, or whoever asked is gone. Made when first looked at. */
  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      this.#leaving = new AbortController()
      this.#signal = AbortSignal.any([this.#context.signal, this.#leaving.signal])
    }
    return this.#signal
  }

  /** Gives a result on, and remembers it. */
  async take(request: QueryRequest, coming: Promise<QueryResult>): Promise<QueryResult> {
    const result = await coming
    if (this.#isToWait) this.#queryService.putBack(request, result)
    else this.#taken.push({ request, result })
    return result
  }

  /**
   * One of them made the request wait: the others, and those that come now, are put back for when it is asked again. Without this, two
   * slow results of a request that may not come from the cache would be computed by turns for ever.
   */
  putBack(): void {
    this.#isToWait = true
    for (const { request, result } of this.#taken.splice(0)) this.#queryService.putBack(request, result)
  }

  /** One of them failed, and that is the answer: for the others nobody waits, and nobody will ask again as he would when told to wait. */
  leave(): void {
    this.#leaving?.abort(new Error('the request has its answer'))
  }
}
