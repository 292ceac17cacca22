import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'

const server = '/usr/bin/redis-server'

/** Debian's Redis, which `npm test` installs where it can. */
export const hasRedis = existsSync(server)

export interface Redis {
  readonly url: string
  close(): Promise<void>
}

/** Starts a server on a free port of loopback that keeps nothing on the disk. */
export async function startRedis(): Promise<Redis> {
  const port = await freePort()
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', tmpdir()]
  const child = spawn(server, options, { stdio: 'ignore' })
  await untilItListens(port, child)
  return {
    url: `redis://127.0.0.1:${port}`,
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

async function untilItListens(port: number, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 60_000
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isThere) return
    if (child.exitCode !== null || Date.now() > deadline) throw new Error('redis-server lets nobody in')
    await new Promise(resolve => setTimeout(resolve, 20))
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
