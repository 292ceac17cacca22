import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { createCounts } from '../counts.ts'
import type { RequestMeter } from '../metrics/request-meter.ts'
import { readSocketAddress, type SocketAddress } from './socket-address.ts'
import { closeCodes, type SocketLimits, socketLimits } from './socket-limits.ts'
import { createRunSocketQuery, type SocketApi } from './socket-query.ts'
import { openSession, type SocketSession } from './socket-session.ts'
import { createSubscriptions } from './subscriptions.ts'

interface DataSocketNeeds {
  readonly api: SocketApi
  readonly newRequestId: () => string
  readonly report: (error: unknown, requestId?: string) => void
  /** Counts what is asked over sockets. */
  readonly requests?: Pick<RequestMeter, 'count'>
  /** Default: those of `socketLimits`. */
  readonly limits?: Partial<SocketLimits>
}

/** How many there are. */
export interface DataSockets {
  open(): number
  /** Queries that are run again and again for subscribers. */
  subscribed(): number
}

interface OpenSocket {
  readonly socket: WebSocket
  readonly session: SocketSession
  readonly deploymentId: number
  /** Heartbeats since it was last heard of, and in all. */
  missed: number
  age: number
}

/**
 * Web sockets of every deployment's data API at `/data/{deploymentId}/` (contract/behaviour/query.md section 9). Closed with 1001
 * when the server stops, so that clients come back to another node.
 */
export function addDataSockets(server: FastifyInstance, need: DataSocketNeeds): DataSockets {
  const { api, report } = need
  const limits: SocketLimits = { ...socketLimits, ...need.limits }
  const open = new Set<OpenSocket>()
  const ofDeployment = createCounts<number>()
  const run = createRunSocketQuery(api)
  const subscriptions = createSubscriptions(run)
  const sockets = new WebSocketServer({ noServer: true, maxPayload: limits.message, perMessageDeflate: false })
  const heart = setInterval(heartbeat, limits.heartbeatMs)
  heart.unref()
  let stopping = false

  server.server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    const drop = () => stream.destroy()
    stream.on('error', drop)
    accept(request, stream, head).catch((error: unknown) => {
      report(error)
      refuse(stream, 500, 'Internal Server Error')
    })
  })
  server.addHook('preClose', close)
  return { open: () => open.size, subscribed: () => subscriptions.count() }

  async function accept(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const address = readSocketAddress(request.url ?? '')
    const allowed = address === null ? undefined : await api.webSockets(address.deploymentId)
    // Who has left meanwhile will not be told to have left again, and so is not counted.
    if (!stream.writable) return void stream.destroy()
    if (address === null || allowed === undefined) return refuse(stream, 404, 'Not Found')
    if (!allowed) return refuse(stream, 403, 'Forbidden', 'CUBEJS_WEB_SOCKETS is false for this deployment')
    const { deploymentId } = address
    const hasRoom =
      (ofDeployment.of(deploymentId) < limits.ofDeployment || makeRoom(entry => entry.deploymentId === deploymentId)) &&
      (open.size < limits.ofAll || makeRoom(() => true))
    if (stopping || !hasRoom) {
      return refuse(stream, 503, 'Service Unavailable', 'There are too many web sockets')
    }
    // Counted before the handshake, during which others may come.
    stream.once('close', ofDeployment.add(deploymentId))
    sockets.handleUpgrade(request, stream, head, socket => welcome(socket, address))
  }

  /** Whoever shows no token keeps out nobody who may have one. */
  function makeRoom(isMeant: (entry: OpenSocket) => boolean): boolean {
    for (const entry of open) {
      if (entry.session.isAuthorized() || !isMeant(entry)) continue
      open.delete(entry)
      entry.socket.terminate()
      return true
    }
    return false
  }

  function welcome(socket: WebSocket, address: SocketAddress): void {
    const session = openSession(socket, address, { ...need, limits, run, subscriptions })
    const entry: OpenSocket = { socket, session, deploymentId: address.deploymentId, missed: 0, age: 0 }
    const heard = () => {
      entry.missed = 0
    }
    open.add(entry)
    socket.on('pong', heard)
    socket.on('message', heard)
    // Frames that break the protocol: `ws` closes the socket with the code for it.
    socket.on('error', () => {})
    socket.on('close', () => {
      open.delete(entry)
      session.end()
    })
  }

  function heartbeat(): void {
    for (const entry of open) {
      const { socket, session } = entry
      entry.age += 1
      // What is not read for a while cannot be heard either; its answers have a deadline of their own.
      if (!session.isPaused()) entry.missed += 1
      if (entry.missed > limits.missedHeartbeats) socket.terminate()
      else if (!session.isAuthorized() && entry.age * limits.heartbeatMs > limits.unauthorizedMs) {
        socket.close(closeCodes.policyViolation, 'Not authorized')
      } else socket.ping()
    }
  }

  async function close(): Promise<void> {
    stopping = true
    clearInterval(heart)
    subscriptions.close()
    const closed = [...open].map(({ socket }) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      socket.once('close', () => resolve())
      socket.close(closeCodes.goingAway, 'The server is stopping')
      return promise
    })
    const late = setTimeout(() => {
      for (const { socket } of open) socket.terminate()
    }, limits.closeMs)
    await Promise.all(closed)
    clearTimeout(late)
  }
}

function refuse(stream: Duplex, status: number, phrase: string, error: string = phrase): void {
  const body = JSON.stringify({ error })
  stream.end(
    `HTTP/1.1 ${status} ${phrase}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    () => stream.destroy(),
  )
}
