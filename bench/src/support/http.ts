import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'

const agent = new Agent({ keepAlive: true, maxSockets: 64 })
/** Longest that any answer may take. */
const timeout = 120_000

export interface Answer {
  readonly status: number
  readonly text: string
}

/** One HTTP exchange over a connection that is kept; the body is read to its end. */
export function exchange(
  method: string,
  url: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const sent = request(url, { method, agent, timeout, headers: { ...headers, ...length } }, response => {
      text(response).then(read => resolve({ status: response.statusCode ?? 0, text: read }), reject)
    })
    sent.once('timeout', () => sent.destroy(new Error(`${method} ${url} was not answered within ${timeout / 1000} s`)))
    sent.once('error', reject)
    sent.end(body)
  })
}

/** A port of the loopback interface that nobody listens on now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
