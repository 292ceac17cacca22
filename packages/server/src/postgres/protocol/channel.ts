import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import { TLSSocket } from 'node:tls'
import { createFrameReader, type Frame, type Framing } from './frame-reader.ts'
import { fatal, protocolViolation } from './pg-error.ts'

/** Bytes that may wait unread before the client is made to wait. */
const unreadBytes = 1024 * 1024

/** A connection as messages in and bytes out. */
export interface Channel {
  /**
   * The next message; undefined once the client is gone.
   *
   * @param milliseconds how long to wait for it; null: for ever.
   * @throws {PgError} fatal 08P01 for bytes that are no message, 57P05 when none came in time.
   */
  read(framing: Framing, maximum: number, milliseconds: number | null): Promise<Frame | undefined>
  /** Resolves when the client takes more. @throws {PgError} fatal where it takes nothing for too long, or is gone. */
  write(bytes: Buffer): Promise<void>
  /** Goes on encrypted. @throws {PgError} fatal where plain bytes came before the handshake. */
  encrypt(context: SecureContext, milliseconds: number): Promise<void>
  /** Aborted when the client is gone. */
  readonly gone: AbortSignal
  readonly encrypted: boolean
  readonly remoteAddress: string | null
  /** Sends what was written and ends the connection. */
  end(): void
  destroy(): void
}

/** @param slowReaderMs how long a client may take none of the bytes that were sent to it. */
export function createChannel(first: Socket, { slowReaderMs }: { readonly slowReaderMs: number }): Channel {
  let socket: Socket = first
  let wake: (() => void) | undefined
  let ended = false
  const frames = createFrameReader()
  const gone = new AbortController()
  const leave = () => {
    ended = true
    gone.abort()
    wake?.()
  }
  const receive = (chunk: Buffer) => {
    frames.push(chunk)
    if (frames.buffered > unreadBytes) socket.pause()
    wake?.()
  }
  const attach = () => {
    socket.on('data', receive).on('end', leave).on('close', leave).on('error', leave)
  }
  socket.setNoDelay(true)
  // A peer that vanished without a word is noticed after about a minute and a half.
  socket.setKeepAlive(true, 60_000)
  attach()

  return {
    gone: gone.signal,
    get encrypted() {
      return socket instanceof TLSSocket
    },
    get remoteAddress() {
      return first.remoteAddress ?? null
    },
    async read(framing, maximum, milliseconds) {
      const deadline = milliseconds === null ? Number.POSITIVE_INFINITY : performance.now() + milliseconds
      for (;;) {
        const frame = frames.next(framing, maximum)
        if (frame || ended) return frame
        if (socket.isPaused()) socket.resume()
        const left = deadline - performance.now()
        if (left <= 0) throw fatal('57P05', 'terminating connection due to idle-session timeout')
        await waitForBytes(left)
      }
    },
    async write(bytes) {
      if (ended || bytes.length === 0 || socket.write(bytes)) return
      const slow = AbortSignal.timeout(slowReaderMs)
      try {
        await once(socket, 'drain', { signal: AbortSignal.any([gone.signal, slow]) })
      } catch {
        if (slow.aborted) socket.destroy()
        throw fatal('08006', slow.aborted ? 'the client reads too slowly' : 'the client is gone')
      }
    },
    async encrypt(context, milliseconds) {
      if (frames.buffered > 0) throw protocolViolation('received unencrypted data after SSL request')
      socket.off('data', receive).off('end', leave)
      const secure = new TLSSocket(socket, { isServer: true, secureContext: context })
      socket = secure
      try {
        await once(secure, 'secure', { signal: AbortSignal.any([gone.signal, AbortSignal.timeout(milliseconds)]) })
      } catch (error) {
        secure.on('error', () => {})
        secure.destroy()
        throw fatal('08P01', 'the TLS handshake failed', { cause: error })
      }
      attach()
    },
    end: () => socket.end(),
    destroy: () => socket.destroy(),
  }

  function waitForBytes(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = Number.isFinite(milliseconds) ? setTimeout(resolve, milliseconds) : undefined
    wake = () => {
      wake = undefined
      clearTimeout(timer)
      resolve()
    }
    return promise
  }
}
