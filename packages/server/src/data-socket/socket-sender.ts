import type { WebSocket } from 'ws'
import type { SocketLimits } from './socket-limits.ts'

/** Sends texts over a socket one after the other. */
export interface SocketSender {
  /** Ends when the text was handed to the network, or the socket is closed. */
  send(text: string): Promise<void>
  /** Whether a text still waits for the reader. */
  isBusy(): boolean
}

/** A reader that takes too long for one text loses the socket, so that nothing piles up for it. */
export function createSocketSender(socket: WebSocket, limits: SocketLimits): SocketSender {
  let last: Promise<void> = Promise.resolve()
  let sending = 0

  function sendNow(text: string): Promise<void> {
    if (socket.readyState !== socket.OPEN) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(() => socket.terminate(), limits.sendMs)
    socket.send(text, () => resolve())
    return promise.finally(() => clearTimeout(timer))
  }

  return {
    send(text) {
      sending += 1
      last = last
        .then(() => sendNow(text))
        .finally(() => {
          sending -= 1
        })
      return last
    },
    isBusy: () => sending > 0,
  }
}
