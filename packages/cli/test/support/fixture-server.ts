import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RecordedRequest {
  readonly method: string
  /** As it was sent, escapes included. */
  readonly path: string
  readonly query: string
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  /** The body as JSON, as text where it is none, or undefined without a body. */
  readonly body: unknown
}

export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Text instead of JSON. */
  readonly text?: string
  /** Never answered. */
  readonly hang?: boolean
  /** The connection breaks after the head and half of the body. */
  readonly truncated?: boolean
}

type Handler = (request: RecordedRequest) => Answer | Promise<Answer>

export interface FixtureServer {
  readonly url: string
  readonly requests: readonly RecordedRequest[]
  /** Answers one method and path, such as `GET /api/v1/users/me`; a list is used up in order, its last entry stays. */
  on(route: string, answer: Answer | readonly Answer[] | Handler): void
  /** Answers everything that `on` does not. */
  otherwise(handler: Handler): void
  /** Requests as `METHOD path?query body`, which is what most tests compare. */
  log(): readonly string[]
  close(): Promise<void>
}

/** A real HTTP server that records every request; what it does not know it answers as the platform answers an unknown path. */
export async function startFixtureServer(): Promise<FixtureServer> {
  const handlers = new Map<string, Handler>()
  const requests: RecordedRequest[] = []
  let other: Handler = notFound
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const [path = '', query = ''] = (incoming.url ?? '').split('?')
    const bytes = Buffer.concat(chunks)
    const request: RecordedRequest = {
      method: incoming.method ?? '',
      path,
      query,
      headers: incoming.headers,
      bytes,
      body: readBody(bytes),
    }
    requests.push(request)
    const answer = await (handlers.get(`${request.method} ${path}`) ?? other)(request)
    if (answer.hang) return
    const text = answer.text ?? (answer.body === undefined ? '' : JSON.stringify(answer.body))
    outgoing.writeHead(answer.status ?? 200, {
      'content-type': answer.text === undefined ? 'application/json' : 'text/html',
      'content-length': Buffer.byteLength(text),
      ...answer.headers,
    })
    if (answer.truncated) {
      outgoing.write(text.slice(0, text.length / 2), () => outgoing.destroy())
      return
    }
    outgoing.end(text)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    on(route, answer) {
      if (typeof answer === 'function') {
        handlers.set(route, answer)
        return
      }
      const answers = 'length' in answer ? [...answer] : [answer]
      handlers.set(route, () => (answers.length > 1 ? answers.shift() : answers[0]) ?? {})
    },
    otherwise(handler) {
      other = handler
    },
    log: () =>
      requests.map(({ method, path, query, body }) =>
        [
          `${method} ${path}${query === '' ? '' : `?${query}`}`,
          ...(body === undefined ? [] : [JSON.stringify(body)]),
        ].join(' '),
      ),
    close: () =>
      new Promise<void>(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function readBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return bytes.toString()
  }
}

const notFound = ({ method, path }: RecordedRequest): Answer => ({
  status: 404,
  body: {
    statusCode: 404,
    error: 'Not Found',
    message: `There is no ${method} ${path}. GET /api/v1/spec lists every operation.`,
    code: 'route_not_found',
  },
})
