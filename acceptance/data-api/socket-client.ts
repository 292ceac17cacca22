import { WebSocket } from 'ws'

/** A message from the server. */
export interface SocketAnswer {
  readonly messageId?: string | number
  readonly status?: number
  readonly message?: Readonly<Record<string, unknown>>
  readonly handshake?: boolean
  readonly messageProcessedId?: string | number
}

/** A web socket of the data API, as anybody can write to it. */
export interface SocketClient {
  readonly socket: WebSocket
  readonly answers: readonly SocketAnswer[]
  send(message: unknown): void
  /** The next answer not yet waited for that is like this. */
  next(isWanted: (answer: SocketAnswer) => boolean, milliseconds?: number): Promise<SocketAnswer>
  /** Sends a message and gives the answer to its id. */
  ask(message: { readonly messageId: string | number } & Record<string, unknown>): Promise<SocketAnswer>
  /** Code and reason with which it was closed. */
  readonly closed: Promise<readonly [code: number, reason: string]>
}

/** Address of a deployment's web socket. */
export const socketUrl = (baseUrl: string, deploymentId: number, rest = '/') =>
  `${baseUrl.replace(/^http/, 'ws')}/data/${deploymentId}${rest}`

/** @param token sent first; null sends none */
export async function openSocket(url: string, token: string | null): Promise<SocketClient> {
  const socket = new WebSocket(url)
  const answers: SocketAnswer[] = []
  const waiting = new Set<() => void>()
  let taken = new Set<SocketAnswer>()
  socket.on('message', data => {
    answers.push(JSON.parse(String(data)))
    for (const look of waiting) look()
  })
  const closed = new Promise<readonly [number, string]>(resolve =>
    socket.once('close', (code, reason) => resolve([code, String(reason)])),
  )
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('unexpected-response', (_, response) => reject(new Error(`HTTP ${response.statusCode}`)))
    socket.once('error', reject)
  })
  const send = (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message))

  const next: SocketClient['next'] = (isWanted, milliseconds = 30_000) =>
    new Promise((resolve, reject) => {
      const done = () => {
        clearTimeout(timer)
        waiting.delete(look)
      }
      const look = () => {
        const found = answers.find(answer => !taken.has(answer) && isWanted(answer))
        if (!found) return
        taken = taken.add(found)
        done()
        resolve(found)
      }
      const timer = setTimeout(() => {
        done()
        reject(new Error(`nothing like it came: ${JSON.stringify(answers).slice(0, 2000)}`))
      }, milliseconds)
      waiting.add(look)
      look()
    })

  const client: SocketClient = {
    socket,
    answers,
    send,
    next,
    closed,
    ask(message) {
      send(message)
      return next(({ messageId }) => messageId === message.messageId)
    },
  }
  if (token !== null) {
    send({ authorization: token })
    await next(({ handshake }) => handshake === true)
  }
  return client
}
