import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Owns processes and folders; when it is closed they are gone. */
export interface Scope {
  /** Starts a process that is ended with the scope at the latest. */
  start(command: string, argv: readonly string[], options?: SpawnOptions): ChildProcess
  /** A new empty folder that other users can enter, which the embedded PostgreSQL of root needs. */
  folder(): Promise<string>
  /** Runs `close` with the scope, before what was taken earlier. */
  defer(close: () => Promise<unknown>): void
  /** Bounded; can be called more than once. */
  close(): Promise<void>
}

/** How long a process may take for an orderly end. */
const patience = 15_000

export function createScope(): Scope {
  const closers: (() => Promise<unknown>)[] = []
  let closing: Promise<void> | undefined

  const refuseWhenClosed = () => {
    if (closing !== undefined) throw new Error('the measurement was ended')
  }
  async function closeAll(): Promise<void> {
    const failures: unknown[] = []
    for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
      await close().catch((error: unknown) => failures.push(error))
    }
    if (failures.length > 0) throw new AggregateError(failures, 'not everything could be cleaned up')
  }

  return {
    start(command, argv, options = {}) {
      refuseWhenClosed()
      const child = spawn(command, argv, options)
      const ended = once(child)
      const close = () => end(child, ended)
      closers.push(close)
      void ended.then(() => {
        const index = closers.indexOf(close)
        if (index >= 0) closers.splice(index, 1)
      })
      return child
    },
    async folder() {
      refuseWhenClosed()
      const folder = await mkdtemp(join(tmpdir(), 'hedron-bench-'))
      closers.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
      await chmod(folder, 0o755)
      return folder
    },
    defer(close) {
      closers.push(close)
    },
    close: () => (closing ??= closeAll()),
  }
}

/** Resolves when the process is gone or could not be started. */
const once = (child: ChildProcess): Promise<void> =>
  new Promise(resolve => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })

/** Asks a process to end; one that does not is killed. */
export async function end(child: ChildProcess, ended: Promise<void> = once(child)): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  child.kill('SIGTERM')
  const late = new AbortController()
  const kill = sleep(patience, undefined, { signal: late.signal }).then(
    () => child.kill('SIGKILL'),
    () => {},
  )
  await ended
  late.abort()
  await kill
}
