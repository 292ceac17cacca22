import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const path = (name: string) => fileURLToPath(new URL(`../programs/${name}.ts`, import.meta.url))

interface User {
  readonly uid: number
  readonly gid: number
}

/** The program writer.ts in a process group of its own. */
export interface Writer {
  readonly pid: number
  /** Ids that the database acknowledged, in order. */
  readonly acknowledged: readonly number[]
  /** Settles when the database is open, with the ids it held; fails with the code and message of the error. */
  readonly opened: Promise<{ ids: number[]; log: string[]; note: string | null }>
  /** Settles once so many rows were acknowledged. */
  wrote(count: number): Promise<void>
  /** Settles when the process is gone and all it printed was read, with its last event and what it logged until then. */
  readonly ended: Promise<{ event: string; log?: string[] }>
  kill(): void
  /** As the terminal does on Ctrl-C: to the whole group. */
  interruptGroup(): void
}

interface WriterOptions {
  readonly user?: User
  readonly systemDirectory?: string
  /** A program that runs the writer, with its arguments. */
  readonly through?: readonly string[]
}

export function startWriter(directory: string, { user, systemDirectory, through = [] }: WriterOptions = {}): Writer {
  const systemArgument = systemDirectory === undefined ? [] : [systemDirectory]
  const [program = '', ...args] = [...through, process.execPath, path('writer'), directory, ...systemArgument]
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true, cwd: '/', ...user })
  const acknowledged: number[] = []
  const waiting = new Set<{ count: number; resolve: () => void; reject: (error: Error) => void }>()
  const opened = Promise.withResolvers<{ ids: number[]; log: string[]; note: string | null }>()
  opened.promise.catch(() => {})
  let last: Awaited<Writer['ended']> = { event: 'none' }
  const lines = createInterface({ input: stdoutOf(child) })
  lines.on('line', line => {
    const event = JSON.parse(line)
    last = event
    if (event.event === 'open') opened.resolve(event)
    if (event.event === 'failed') opened.reject(new Error(`${event.code}: ${event.message}`))
    if (event.event === 'acknowledged') acknowledged.push(event.id)
    for (const waiter of waiting) if (acknowledged.length >= waiter.count) waiter.resolve()
  })
  const ended = Promise.all([once(child, 'exit'), once(lines, 'close')]).then(() => {
    const error = new Error(`the writer ended after ${acknowledged.length} rows, last event: ${last.event}`)
    opened.reject(error)
    for (const waiter of waiting) waiter.reject(error)
    return last
  })
  const pid = child.pid
  if (pid === undefined) throw new Error('the writer did not start')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    pid,
    acknowledged,
    opened: opened.promise,
    wrote(count) {
      if (acknowledged.length >= count) return Promise.resolve()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      waiting.add({ count, resolve, reject })
      return promise
    },
    ended,
    kill: () => void child.kill('SIGKILL'),
    interruptGroup: () => void process.kill(-pid, 'SIGINT'),
  }
}

/** Runs migrator.ts to its end. */
export async function runMigrator(url: string): Promise<string[]> {
  const child = spawn(process.execPath, [path('migrator'), url], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  stdoutOf(child).on('data', chunk => {
    output += String(chunk)
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the migrator ended with ${code}`)
  return JSON.parse(output)
}

function stdoutOf({ stdout }: ChildProcess) {
  if (stdout === null) throw new Error('a child without stdout')
  return stdout
}
