import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, RESP_TYPES } from '@redis/client'

const server = '/usr/bin/redis-server'

/** Debian's Redis, which `npm test` installs where it can. */
export const hasRedis = existsSync(server)

export interface TestRedis {
  readonly url: string
  /** Every name that it keeps. */
  names(): Promise<readonly string[]>
  get(name: string): Promise<Buffer>
  set(name: string, value: Buffer): Promise<void>
  clear(): Promise<void>
  /** Lets it say nothing until `resume`, with its connections open. */
  suspend(): void
  resume(): void
  /** Kills it and starts it again, empty, at the same address. */
  restart(): Promise<void>
  kill(): Promise<void>
  close(): Promise<void>
}

/** Starts a server on a free port of loopback, with a password and nothing on the disk. */
export async function startRedis(): Promise<TestRedis> {
  const directory = await mkdtemp(join(tmpdir(), 'hedron-redis-'))
  const port = await freePort()
  const password = randomBytes(8).toString('hex')
  const url = `redis://:${password}@127.0.0.1:${port}`
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--requirepass', password, '--save', '']
  const connection = () => {
    const commandOptions = { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } }
    const client = createClient({ url, RESP: 2, socket: { reconnectStrategy: false }, commandOptions })
    client.on('error', () => {})
    return client
  }

  let child = await start()

  async function start(): Promise<ChildProcess> {
    const deadline = performance.now() + 30_000
    const started = spawn(server, [...options, '--appendonly', 'no', '--dir', directory], { stdio: 'ignore' })
    for (;;) {
      if (started.exitCode !== null) throw new Error(`redis-server ended with ${started.exitCode}`)
      const isThere = await ask(async client => client.ping()).catch(() => undefined)
      if (isThere) return started
      if (performance.now() > deadline) throw new Error('redis-server lets nobody in')
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }

  async function ask<T>(work: (client: ReturnType<typeof connection>) => Promise<T>): Promise<T> {
    const client = connection()
    try {
      await client.connect()
      return await work(client)
    } finally {
      client.destroy()
    }
  }

  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  return {
    url,
    names: () => ask(async client => (await client.keys('*')).map(name => name.toString()).toSorted()),
    get: name => ask(async client => (await client.get(name)) ?? Buffer.alloc(0)),
    set: (name, value) => ask(async client => void (await client.set(name, value))),
    clear: () => ask(async client => void (await client.flushAll())),
    suspend: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    kill,
    async restart() {
      await kill()
      child = await start()
    },
    async close() {
      child.kill('SIGCONT')
      await kill()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('the probe has no port')
  return address.port
}
