import { type LookupAddress, lookup as lookUpName } from 'node:dns'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { ProviderFault } from './provider-fault.ts'
import { isRefusedAddress } from './refuse-address.ts'

/** What a provider may do before it is given up. */
export interface ProviderBounds {
  /** How long it may say nothing, in milliseconds. */
  readonly silenceMs: number
  /** How long one answer may take in all, in milliseconds. */
  readonly answerMs: number
  /** Bytes of one answer. */
  readonly answerBytes: number
}

export const usualBounds: Omit<ProviderBounds, 'silenceMs'> = { answerMs: 600_000, answerBytes: 4 * 2 ** 20 }

interface FetchOptions extends ProviderBounds {
  /** Which addresses of the network are refused; null: none, the operator names it. */
  readonly guard: { readonly allowsLoopback: boolean } | null
}

/**
 * `fetch` for providers of language models. It follows no redirect, so that a key goes nowhere but where it was meant for; each wait is
 * bounded, and so is the answer; the address is looked at when the connection is made, so that a name can't come to mean another one.
 */
export function createProviderFetch({ guard, silenceMs, answerMs, answerBytes }: FetchOptions): typeof fetch {
  const lookup = guard ? guardedLookup(guard.allowsLoopback) : undefined
  // Connections of their own: one that was made without the guard is never used with it.
  const settings = { keepAlive: true, timeout: 30_000, ...(lookup ? { lookup } : {}) }
  const agents = { 'http:': new HttpAgent(settings), 'https:': new HttpsAgent(settings) }

  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new ProviderFault('address')
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (guard && isIP(host) !== 0 && isRefusedAddress(host, guard.allowsLoopback)) throw new ProviderFault('address')
    const stop = new AbortController()
    const signal = init.signal
    const pass = () => stop.abort(signal?.reason)
    signal?.addEventListener('abort', pass, { once: true })
    if (signal?.aborted) pass()
    const overall = setTimeout(() => stop.abort(new ProviderFault('slow')), answerMs)
    let silence = setTimeout(() => stop.abort(new ProviderFault('slow')), silenceMs)
    const heard = () => {
      clearTimeout(silence)
      silence = setTimeout(() => stop.abort(new ProviderFault('slow')), silenceMs)
    }
    const end = () => {
      clearTimeout(overall)
      clearTimeout(silence)
      signal?.removeEventListener('abort', pass)
    }
    try {
      const answer = await send(url, init, agents[url.protocol], stop.signal)
      answer.once('close', end)
      const parts = bounded(answer, { answerBytes, heard, signal: stop.signal })
      const body = Readable.toWeb(Readable.from(parts, { objectMode: false }))
      const headers = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
      )
      const status = answer.statusCode ?? 0
      if (status < 200 || status > 599 || (status >= 300 && status < 400)) throw new ProviderFault('redirect')
      // Node's type of a web stream is another than that of fetch, though they are one.
      return new Response(status === 204 || status === 205 ? null : (body as unknown as ReadableStream<Uint8Array>), {
        status,
        headers,
      })
    } catch (error) {
      end()
      stop.abort(error)
      throw signal?.aborted ? signal.reason : (stop.signal.reason ?? error)
    }
  }
}

function send(
  url: URL,
  init: RequestInit,
  agent: HttpAgent | HttpsAgent,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const { method = 'GET', headers, body } = init
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
    method,
    agent,
    signal,
    headers: Object.fromEntries(new Headers(headers)),
  })
  request.on('response', resolve)
  request.on('error', error => reject(signal.aborted ? signal.reason : unreachable(error)))
  request.end(typeof body === 'string' || body instanceof Uint8Array ? body : undefined)
  return promise
}

const unreachable = (error: Error) => (error instanceof ProviderFault ? error : new ProviderFault('unreachable'))

interface BodyBounds {
  readonly answerBytes: number
  readonly signal: AbortSignal
  heard(): void
}

async function* bounded(answer: IncomingMessage, { answerBytes, heard, signal }: BodyBounds): AsyncGenerator<Buffer> {
  let bytes = 0
  try {
    for await (const part of answer) {
      bytes += part.length
      if (bytes > answerBytes) throw new ProviderFault('too_long')
      heard()
      yield part
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw error instanceof ProviderFault ? error : new ProviderFault('broken')
  } finally {
    answer.destroy()
  }
}

/** Finds the addresses of a name and refuses the name if any of them is refused. */
function guardedLookup(allowsLoopback: boolean): LookupFunction {
  return (hostname, options, done) => {
    lookUpName(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const [first] = addresses ?? []
      if (error) return done(error, '')
      if (!first || addresses.some(({ address }) => isRefusedAddress(address, allowsLoopback))) {
        return done(new ProviderFault('address'), '')
      }
      if (options.all) return done(null, addresses)
      done(null, first.address, first.family)
    })
  }
}
