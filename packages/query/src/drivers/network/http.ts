import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Encryption } from './read-settings.ts'

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Path and query. */
  readonly path: string
  /** Another server than the one that was configured, asked in the same way. */
  readonly at?: { readonly host: string; readonly port: number }
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** One server and the connections to it, which are kept. Redirects are not followed. */
export interface HttpServer {
  ask(request: HttpRequest): Promise<HttpAnswer>
  close(): void
}

export function createHttpServer(options: {
  readonly host: string
  readonly port: number
  readonly ssl: false | Encryption
  readonly mostConnections: number
  /** How long the server may say nothing. */
  readonly silenceMs: number
}): HttpServer {
  const { host, port, ssl, mostConnections, silenceMs } = options
  const kept = { keepAlive: true, maxSockets: mostConnections }
  const agent = ssl === false ? new HttpAgent(kept) : new HttpsAgent({ ...kept, ...ssl })
  const open = ssl === false ? httpRequest : httpsRequest
  return {
    ask({ method, path, at = { host, port }, headers = {}, body, signal }) {
      return new Promise((resolve, reject) => {
        const request = open({ ...at, path, method, headers, agent, signal, timeout: silenceMs }, response => {
          const pieces: Buffer[] = []
          response.on('data', (piece: Buffer) => pieces.push(piece))
          response.on('error', reject)
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: Buffer.concat(pieces).toString('utf8'),
            }),
          )
        })
        request.on('timeout', () => request.destroy(new Error(`no answer within ${silenceMs / 1000} s`)))
        request.on('error', reject)
        request.end(body)
      })
    },
    close: () => agent.destroy(),
  }
}
