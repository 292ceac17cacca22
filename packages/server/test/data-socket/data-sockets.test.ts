import { connect as connectTcp, type Socket } from 'node:net'
import { fastify } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { addDataSockets, type DataSockets } from '../../src/data-socket/data-sockets.ts'
import type { SocketApi } from '../../src/data-socket/socket-query.ts'

/** Far below those of a server, so that what takes a minute there takes a moment here. */
const limits = { heartbeatMs: 50, unauthorizedMs: 200, sendMs: 300, closeMs: 200, ofDeployment: 2 }

const caller = {
  accountId: 1,
  deploymentId: 1,
  branchName: null,
  securityContext: {},
  groups: [],
  userAttributes: {},
  scopes: new Set<string>(),
}
const nothing = async () => ({})
let stopped: AbortSignal | undefined
/** What finding a deployment waits for. */
let found = Promise.withResolvers<void>()
const api: SocketApi = {
  authenticate: async () => caller,
  admit: () => {},
  async webSockets() {
    await found.promise
    return true
  },
  operations: {
    load: (_caller, _parameters, { signal }) => {
      stopped = signal
      return new Promise(() => {})
    },
    sql: nothing,
    dryRun: nothing,
    meta: async () => ({ large: 'x'.repeat(8 * 1024 * 1024) }),
  },
}

let server: ReturnType<typeof fastify>
let port = 0
let sockets: DataSockets
let counted: unknown[] = []
const faults: unknown[] = []
beforeEach(async () => {
  found = Promise.withResolvers<void>()
  found.resolve()
  server = fastify()
  counted = []
  const requests = { count: (action: string, status: number) => counted.push([action, status]) }
  sockets = addDataSockets(server, {
    api,
    newRequestId: () => 'r',
    requests,
    report: error => faults.push(error),
    limits,
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
  port = server.addresses()[0]?.port ?? 0
})
afterEach(async () => {
  await server.close()
  expect(faults).toEqual([])
})

const closeOf = (socket: WebSocket) =>
  new Promise<readonly [number, string]>(resolve =>
    socket.once('close', (code, reason) => resolve([code, String(reason)])),
  )

async function open(token: string | null = 't', url = `ws://127.0.0.1:${port}/data/1/`): Promise<WebSocket> {
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  if (token !== null) {
    const handshake = new Promise(resolve => socket.once('message', resolve))
    socket.send(JSON.stringify({ authorization: token }))
    await handshake
  }
  return socket
}

const upgrade =
  'GET /data/1/ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n'

/** Somebody who opens a web socket, shows a token, and is never heard of again, nor says that they left. */
async function halfOpen(): Promise<Socket> {
  const stream = connectTcp(port, '127.0.0.1')
  const text = '{"authorization":"t"}'
  const frame = Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)])
  stream.write(upgrade)
  await new Promise<void>(resolve => stream.once('data', () => resolve()))
  stream.write(frame)
  stream.resume()
  return stream
}

test('a socket that answers no ping is ended, one that does is not', async () => {
  const [silent, alive] = [await halfOpen(), await open()]
  await new Promise(resolve => silent.once('close', resolve))
  expect(alive.readyState).toBe(WebSocket.OPEN)
  alive.terminate()
})

test('sockets and what they ask are counted', async () => {
  const [socket, stranger] = [await open(), await open(null)]
  expect(sockets.open()).toBe(2)
  for (const each of [socket, stranger]) {
    const answered = new Promise(resolve => each.once('message', resolve))
    each.send(JSON.stringify({ messageId: 1, method: 'sql', params: { query: {} } }))
    await answered
  }
  expect(counted).toEqual([
    ['socket_sql', 200],
    ['socket_sql', 403],
  ])
  socket.terminate()
  stranger.terminate()
  await expect.poll(() => sockets.open()).toBe(0)
  expect(sockets.subscribed()).toBe(0)
})

test('a socket without a token is closed after a while, one with it is not', async () => {
  const [idle, authorized] = [await open(null), await open()]
  expect(await closeOf(idle)).toEqual([1008, 'Not authorized'])
  expect(authorized.readyState).toBe(WebSocket.OPEN)
  authorized.terminate()
})

test('sockets without a token, of whatever deployment, make room for those with one when there is no more', async () => {
  const full: ReturnType<typeof fastify> = fastify()
  const needs = { api, newRequestId: () => 'r', report: (error: unknown) => faults.push(error) }
  addDataSockets(full, { ...needs, limits: { ofAll: 2, ofDeployment: 2 } })
  await full.listen({ port: 0, host: '127.0.0.1' })
  const of = (deploymentId: number, token: string | null = 't') =>
    open(token, `ws://127.0.0.1:${full.addresses()[0]?.port}/data/${deploymentId}/`)
  const idle = [await of(1, null), await of(1, null)].map(closeOf)
  const [first, second] = [await of(2), await of(3)]
  expect((await Promise.all(idle)).map(([code]) => code)).toEqual([1006, 1006])
  await expect(of(1)).rejects.toThrow('503')
  expect([first.readyState, second.readyState]).toEqual([WebSocket.OPEN, WebSocket.OPEN])
  first.terminate()
  second.terminate()
  await full.close()
})

test('a reader that takes too long loses the socket', async () => {
  const socket = await open()
  socket.pause()
  for (let id = 1; id <= 4; id++) socket.send(JSON.stringify({ messageId: id, method: 'meta' }))
  await new Promise(resolve => setTimeout(resolve, 1000))
  const closed = closeOf(socket)
  socket.resume()
  expect((await closed)[0]).toBe(1006)
})

test('a query is stopped when its socket goes, and when it is unsubscribed', async () => {
  for (const end of [
    (socket: WebSocket) => socket.terminate(),
    (socket: WebSocket) => socket.send('{"unsubscribe":1}'),
  ]) {
    stopped = undefined
    const socket = await open()
    socket.send(JSON.stringify({ messageId: 1, method: 'load', params: { query: {} } }))
    while (stopped === undefined) await new Promise(resolve => setTimeout(resolve, 5))
    const signal: AbortSignal = stopped
    end(socket)
    await new Promise(resolve => (signal.aborted ? resolve(undefined) : signal.addEventListener('abort', resolve)))
    socket.terminate()
  }
})

test('who leaves before the deployment is found takes nobody’s place', async () => {
  const arrived = Promise.withResolvers<void>()
  let gone = 0
  server.server.on('connection', (stream: Socket) => {
    stream.once('close', () => {
      gone += 1
      if (gone === limits.ofDeployment) arrived.resolve()
    })
  })
  found = Promise.withResolvers<void>()
  for (let count = 0; count < limits.ofDeployment; count += 1) {
    const stream = connectTcp(port, '127.0.0.1')
    stream.write(upgrade)
    await new Promise(resolve => server.server.once('upgrade', resolve))
    stream.resetAndDestroy()
  }
  await arrived.promise
  found.resolve()
  const sockets = [await open(), await open()]
  for (const socket of sockets) socket.terminate()
})

test('a stopping server waits for no socket that does not say goodbye', async () => {
  const silent = await halfOpen()
  const start = performance.now()
  await server.close()
  expect(performance.now() - start).toBeLessThan(2000)
  silent.destroy()
})
