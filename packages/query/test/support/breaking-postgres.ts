import { createServer, type Socket } from 'node:net'

/**
 * A server that speaks as much of PostgreSQL's protocol as one query needs, and breaks the connection at the worst moment: it has
 * said that the result is complete, and not yet that it is ready for another query. Or it says nothing more at all.
 */
export async function startBreakingPostgres(manner: 'breaks' | 'falls silent') {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    serve(socket, manner)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    port: address.port,
    connections: () => sockets.size,
    close: () =>
      new Promise<void>(resolve => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

const message = (type: string, body: Buffer = Buffer.alloc(0)): Buffer => {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const text = (value: string) => Buffer.from(`${value}\0`)
const int16 = (value: number) => Buffer.from([value >> 8, value & 255])
const int32 = (value: number) => Buffer.from([value >> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255])

const ready = message('Z', Buffer.from('T'))
const complete = (tag: string) => message('C', text(tag))
const oneColumn = message(
  'T',
  Buffer.concat([int16(1), text('pid'), int32(0), int16(0), int32(23), int16(4), int32(-1), int16(0)]),
)
const oneRow = message('D', Buffer.concat([int16(1), int32(1), Buffer.from('1')]))

function serve(socket: Socket, manner: 'breaks' | 'falls silent'): void {
  let received = Buffer.alloc(0)
  let greeted = false
  socket.on('data', data => {
    received = Buffer.concat([received, data])
    for (;;) {
      const start = greeted ? 1 : 0
      if (received.length < start + 4) return
      const end = start + received.readInt32BE(start)
      if (received.length < end) return
      const type = greeted ? String.fromCharCode(received[0] ?? 0) : 'startup'
      const body = received.subarray(start + 4, end)
      received = received.subarray(end)
      greeted = true
      answer(type, body.toString())
    }
  })

  function answer(type: string, body: string): void {
    if (type === 'startup') socket.write(Buffer.concat([message('R', int32(0)), ready]))
    else if (type === 'Q' && body.includes('pg_backend_pid')) {
      const settings = body
        .split(';')
        .slice(1)
        .map(() => complete('SET'))
      socket.write(Buffer.concat([...settings, oneColumn, oneRow, complete('SELECT 1'), ready]))
    } else if (type === 'Q') socket.write(Buffer.concat([complete('BEGIN'), ready]))
    else if (type === 'D') socket.write(Buffer.concat([message('1'), message('2'), oneColumn]))
    else if (type === 'E') {
      socket.write(Buffer.concat([oneRow, complete('SELECT 1')]), () => {
        if (manner === 'breaks') socket.destroy()
      })
    }
  }
}
