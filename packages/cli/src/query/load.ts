import { send } from '@hedron/contract/client'
import type { Effects } from '../effects.ts'
import { Failure } from '../framework/failure.ts'
import { displayValue, fieldOf, isRecord } from '../framework/json.ts'
import type { Output } from '../framework/output.ts'
import { oneReason } from '../framework/text.ts'
import { clientOptions } from '../session/session.ts'

interface Load {
  /** What is done with the query: `load`, or `explain`. */
  readonly action: 'load' | 'explain'
  /** Base address of the data API, the branch included. */
  readonly url: string
  readonly token: string
  readonly query: unknown
  /** Milliseconds. */
  readonly timeout: number
}

/** A server that is still computing holds the request for some seconds; this only keeps one that does not from being hammered. */
const pauseBetweenLooks = 250

/**
 * Asks the data API, again and again while it answers that the query is still computing.
 *
 * @throws {Failure} `query_failed`, `wait_timed_out` @throws {ApiError}
 */
export async function load(
  effects: Effects,
  output: Pick<Output, 'progress'>,
  { action, url, token, query, timeout }: Load,
): Promise<unknown> {
  const options = clientOptions(url, token, effects)
  const span = effects.randomId()
  const deadline = effects.now() + timeout
  const body = isMulti(query) ? { query, queryType: 'multi' } : { query }
  for (let attempt = 1; ; attempt += 1) {
    const headers = { ...options.headers, 'x-request-id': `${span}-span-${attempt}` }
    const bound = AbortSignal.timeout(deadline - effects.now())
    const answer = await send(
      { ...options, headers },
      'POST',
      `/cubejs-api/v1/${action}`,
      undefined,
      body,
      bound,
    ).catch((failure: unknown) => {
      throw bound.aborted ? timedOut(timeout) : failure
    })
    const error = fieldOf(answer, 'error')
    if (error === undefined) return answer
    if (error !== 'Continue wait') throw new Failure('query_failed', { message: oneReason(displayValue(error)) })
    if (attempt === 1) output.progress('query: still computing')
    await effects.sleep(pauseBetweenLooks, effects.signal)
    if (effects.now() >= deadline) throw timedOut(timeout)
  }
}

const timedOut = (timeout: number): Failure =>
  new Failure('wait_timed_out', {
    message: `timed out after ${Math.round(timeout / 1000)}s waiting for the query. Raise --timeout, or ask for less`,
  })

/** Queries that blend or compare are answered in parts, and only when the request says that it expects them. */
const isMulti = (query: unknown): boolean =>
  Array.isArray(query) ||
  (isRecord(query) &&
    Array.isArray(query.timeDimensions) &&
    query.timeDimensions.some(time => fieldOf(time, 'compareDateRange') !== undefined))
