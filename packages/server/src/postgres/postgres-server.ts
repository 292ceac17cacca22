import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { createSecureContext } from 'node:tls'
import type { SqlAccess } from '@hedron/platform'
import { createCounts } from '../counts.ts'
import { createCancelKeys } from './cancel-keys.ts'
import { writeError } from './protocol/backend-messages.ts'
import { type Channel, createChannel } from './protocol/channel.ts'
import { createMessageWriter } from './protocol/message-writer.ts'
import { fatal } from './protocol/pg-error.ts'
import { type Connection, type ConnectionLimits, serveConnection } from './serve-connection.ts'
import { createSignInLimits, type SignInLimits } from './sign-in-limits.ts'

export interface PostgresServerNeeds {
  readonly access: SqlAccess
  /** Certificate and key in PEM; null: connections are not encrypted. */
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null
  readonly randomBytes: (count: number) => Buffer
  readonly now: () => Date
  readonly report: (error: unknown) => void
  readonly limits?: Partial<
    ConnectionLimits & SignInLimits & { readonly connections: number; readonly slowReaderMs: number }
  >
}

export interface PostgresServer {
  /** @returns the port. */
  listen(port: number, host: string): Promise<number>
  /** Stops accepting, lets statements end for up to ten seconds, closes every connection. */
  close(): Promise<void>
}

const defaults = {
  signInMs: 30_000,
  refusalMs: 1000,
  idleMs: 12 * 3_600_000,
  connections: 4096,
  signingIn: 1024,
  signingInOfOneAddress: 256,
  slowReaderMs: 300_000,
}

/** PostgreSQL's protocol, version 3.0 (PostgreSQL documentation, "Frontend/Backend Protocol"). */
export function createPostgresServer(need: PostgresServerNeeds): PostgresServer {
  const limits = { ...defaults, ...need.limits }
  const tls = need.tls === null ? null : createSecureContext({ ...need.tls, minVersion: 'TLSv1.2' })
  const cancelKeys = createCancelKeys(need.randomBytes)
  const sessionsOf = createCounts<number>()
  const signIns = createSignInLimits(limits)
  const connections = new Map<Channel, Connection>()
  let stopping = false
  const server = createServer({ noDelay: true }, accept)

  return {
    async listen(port, host) {
      server.listen(port, host)
      await once(server, 'listening')
      return portOf(server)
    },
    async close() {
      stopping = true
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      const until = performance.now() + 10_000
      for (;;) {
        for (const [channel, connection] of connections) if (!connection.isBusy()) dismiss(channel)
        if (connections.size === 0 || performance.now() > until) break
        await delay(25)
      }
      for (const channel of connections.keys()) channel.destroy()
      await closed
    },
  }

  function accept(socket: Socket): void {
    const channel = createChannel(socket, limits)
    const signedIn =
      stopping || connections.size >= limits.connections ? null : signIns.enter(socket.remoteAddress ?? '')
    if (!signedIn) {
      const full = stopping
        ? fatal('57P03', 'the database system is shutting down')
        : fatal('53300', 'sorry, too many clients already')
      dismiss(channel, full)
      return
    }
    const connection = serveConnection(channel, {
      ...need,
      tls,
      cancelKeys,
      sessionsOf,
      limits,
      stopping: () => stopping,
      signedIn,
    })
    connections.set(channel, connection)
    connection.ended.catch(need.report).finally(() => {
      signedIn()
      connections.delete(channel)
    })
  }

  function dismiss(
    channel: Channel,
    error = fatal('57P01', 'terminating connection due to administrator command'),
  ): void {
    const writer = createMessageWriter()
    writeError(writer, error)
    channel.write(writer.take()).catch(() => {})
    channel.end()
    // `end` waits for the client to close its side; who was told to go is not waited for.
    setTimeout(() => channel.destroy(), 200).unref()
  }
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return address.port
}
