import { setTimeout as sleep } from 'node:timers/promises'
import { exchange, freePort } from './http.ts'
import { end, type Scope } from './scope.ts'

export interface RunningServer {
  readonly baseUrl: string
  readonly pid: number
  /** From the start of the process to its first 200 of `/readyz`. */
  readonly readyMilliseconds: number
  stop(): Promise<void>
}

export interface ServerStart {
  readonly program: string
  /** @param port the one to listen on */
  readonly environment: (port: number) => Readonly<Record<string, string>>
  readonly cwd?: string
  /** Keeps it on one core; only where `taskset` is. */
  readonly core?: number
}

const longestStart = 120_000
const pause = 4

/** Starts a server of ours on this Node and waits until it is ready. */
export async function startServer(scope: Scope, start: ServerStart): Promise<RunningServer> {
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const node = [process.execPath, start.program]
  const [command = '', ...argv] = start.core === undefined ? node : ['taskset', '-c', String(start.core), ...node]
  let output = ''
  const began = performance.now()
  const child = scope.start(command, argv, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...start.environment(port) },
    // A process group of its own: Ctrl-C is for the bench, which ends what it started in order.
    detached: true,
    ...(start.cwd === undefined ? {} : { cwd: start.cwd }),
  })
  const collect = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-10_000)
  }
  child.stdout?.on('data', collect)
  child.stderr?.on('data', collect)
  child.once('error', error => collect(Buffer.from(error.message)))

  while (!(await answers(`${baseUrl}/readyz`))) {
    const ended = child.exitCode !== null || child.signalCode !== null || child.pid === undefined
    const late = performance.now() - began > longestStart
    if (ended || late) throw new Error(`${start.program} ${ended ? 'ended' : 'is not ready'}:\n${output}`)
    await sleep(pause)
  }
  const readyMilliseconds = performance.now() - began
  return { baseUrl, pid: child.pid ?? 0, readyMilliseconds, stop: () => end(child) }
}

const answers = (url: string): Promise<boolean> =>
  exchange('GET', url).then(
    ({ status }) => status === 200,
    () => false,
  )
