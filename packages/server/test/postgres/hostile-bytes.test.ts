import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createCatalogAnswers, type SqlAccess } from '@hedron/platform'
import { createCatalogModel } from '@hedron/sql'
import fc from 'fast-check'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPostgresServer } from '../../src/postgres/postgres-server.ts'

const model = createCatalogModel([])
const catalogs = createCatalogAnswers()
const faults: unknown[] = []
const caller = {
  accountId: 1,
  deploymentId: 1,
  branchName: null,
  securityContext: {},
  groups: [],
  userAttributes: {},
  scopes: new Set<string>(),
}
/** Lets everybody in with the password `secret`, to catalogs without tables. */
const access: SqlAccess = {
  signIn: async () => ({
    password: null,
    accept: async password =>
      password === 'secret'
        ? {
            caller,
            database: 'shop',
            maySwitchUser: false,
            expiresMs: 60_000,
            expiresAt: Number.POSITIVE_INFINITY,
            maximumSessions: 100,
          }
        : null,
  }),
  catalog: async () => model,
  catalogs,
  statements: {
    prepare: async () => {
      throw new Error('no statement reads data here')
    },
    get planning(): never {
      throw new Error('nothing is planned here')
    },
  },
  switchUser: () => caller,
}

const server = createPostgresServer({
  access,
  tls: null,
  randomBytes: count => Buffer.alloc(count, Math.floor(Math.random() * 256)),
  now: () => new Date(),
  report: error => faults.push(error),
  limits: { signInMs: 500, refusalMs: 50, idleMs: 1000 },
})
let port = 0
beforeAll(async () => {
  port = await server.listen(0, '127.0.0.1')
})
afterAll(async () => {
  await server.close()
  await catalogs.close()
})

const open = async (): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}
async function ended(socket: Socket): Promise<Buffer> {
  const parts: Buffer[] = []
  socket.on('data', part => parts.push(part))
  if (!socket.closed) await once(socket, 'close')
  return Buffer.concat(parts)
}
const works = async () => {
  const client = new Client({ host: '127.0.0.1', port, user: 'u', database: 'd', password: 'secret' })
  await client.connect()
  expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  await client.end()
}

test('any bytes at the start end that connection alone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async bytes => {
      const socket = await open()
      socket.end(bytes)
      await ended(socket)
    }),
    { numRuns: 100 },
  )
  await works()
})

test('a length of gigabytes is refused at once', async () => {
  const socket = await open()
  socket.write(Buffer.from([0x7f, 0xff, 0xff, 0xff, 0, 3, 0, 0]))
  expect((await ended(socket)).toString()).toContain('invalid message length')
})

test('who says nothing is sent away', async () => {
  const socket = await open()
  expect((await ended(socket)).toString()).toContain('57P05')
})

test('encryption that is not there is denied, and the session goes on in plain', async () => {
  const socket = await open()
  socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]))
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toBe('N')
  socket.destroy()
})

test('any messages of a session end in answers or in its end; others go on', async () => {
  const message = fc.tuple(fc.constantFrom(...'QPBDECHSFdcfpX?'), fc.uint8Array({ maxLength: 60 }))
  await fc.assert(
    fc.asyncProperty(fc.array(message, { maxLength: 12 }), async messages => {
      const socket = await open()
      const startup = Buffer.from('\0\0\0\0\0\x03\0\0user\0u\0database\0d\0\0', 'latin1')
      startup.writeInt32BE(startup.length, 0)
      socket.write(startup)
      socket.write(Buffer.concat([Buffer.from('p'), Buffer.from([0, 0, 0, 11]), Buffer.from('secret\0')]))
      for (const [type, body] of messages) {
        const head = Buffer.alloc(5)
        head.write(type, 'latin1')
        head.writeInt32BE(body.length + 4, 1)
        socket.write(Buffer.concat([head, body]))
      }
      socket.end(Buffer.from([0x58, 0, 0, 0, 4]))
      await ended(socket)
    }),
    { numRuns: 100 },
  )
  await works()
  expect(faults).toEqual([])
})
