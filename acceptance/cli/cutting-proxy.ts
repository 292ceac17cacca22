import { createServer, request } from 'node:http'

/** What becomes of a request: it is passed on, cut before all of it came, answered to nobody, or its answer is held back for good. */
export type Fate = 'passed' | 'cut' | 'unanswered' | 'held'

export interface CuttingProxy {
  readonly baseUrl: string
  close(): void
}

/**
 * Stands between a client and the platform and cuts connections.
 *
 * @param fateOf asked for each request, and may keep it waiting
 * @param answered told of each answer that went back whole, or that is held back
 */
export async function startCuttingProxy(
  target: string,
  fateOf: (path: string) => Fate | Promise<Fate>,
  answered: (path: string) => void = () => {},
): Promise<CuttingProxy> {
  const server = createServer(async (incoming, outgoing) => {
    const { method, headers, url: path = '/', socket } = incoming
    const fate = await fateOf(path)
    if (fate === 'cut') {
      incoming.once('data', () => socket.destroy())
      return
    }
    const passing = request(new URL(path, target), { method, headers }, answer => {
      if (fate === 'unanswered') {
        answer.resume().once('end', () => socket.destroy())
        return
      }
      if (fate === 'held') {
        answer.resume().once('end', () => answered(path))
        return
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      outgoing.once('finish', () => answered(path))
      answer.pipe(outgoing)
    })
    passing.once('error', () => socket.destroy())
    incoming.pipe(passing)
  })
  const listening = Promise.withResolvers<void>()
  server.once('error', listening.reject)
  server.listen(0, '127.0.0.1', listening.resolve)
  await listening.promise
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the proxy listens nowhere')
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
