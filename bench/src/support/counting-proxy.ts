import { Agent, createServer, request } from 'node:http'
import type { Scope } from './scope.ts'

export interface CountingProxy {
  readonly baseUrl: string
  /** Requests since the last reset. */
  count(): number
  reset(): void
  /** Passes on so many uploads from now on, and cuts the connection of every later one. */
  cutUploadsAfter(count: number): void
}

/** Passes every request on and counts it. */
export async function startCountingProxy(scope: Scope, target: string): Promise<CountingProxy> {
  const agent = new Agent({ keepAlive: true })
  let requests = 0
  let uploadsLeft = Number.POSITIVE_INFINITY
  const server = createServer((incoming, outgoing) => {
    requests += 1
    if (incoming.url?.endsWith('/upload/file') && --uploadsLeft < 0) {
      incoming.once('data', () => incoming.socket.destroy())
      return
    }
    const { method, headers } = incoming
    const passed = request(`${target}${incoming.url}`, { agent, method, headers }, answer => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.once('error', error => outgoing.destroy(error))
    incoming.pipe(passed)
  })
  const listening = Promise.withResolvers<void>()
  server.once('error', listening.reject)
  server.listen(0, '127.0.0.1', listening.resolve)
  await listening.promise
  scope.defer(async () => {
    server.close()
    server.closeAllConnections()
    agent.destroy()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the proxy listens nowhere')
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    count: () => requests,
    reset() {
      requests = 0
    },
    cutUploadsAfter(count) {
      uploadsLeft = count
    },
  }
}
