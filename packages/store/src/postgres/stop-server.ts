import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, storeErrors } from '../store-error.ts'
import { program } from './binaries.ts'
import type { Place } from './place.ts'
import { runProgram } from './run-program.ts'

/** Fast shutdown (with a checkpoint), immediate shutdown (recovery at the next start), and what nothing withstands. */
const steps = [
  { signal: 'SIGINT', milliseconds: 15_000 },
  { signal: 'SIGQUIT', milliseconds: 7_000 },
  { signal: 'SIGKILL', milliseconds: 5_000 },
] as const

/**
 * Stops a server, asking more firmly each time it does not go. No acknowledged write is lost at any of the steps.
 *
 * @throws {StoreError} `server_unstoppable` after 27 seconds
 */
export async function stopServer(
  { data, native }: Place,
  pid: number,
  isAlive: () => boolean | Promise<boolean>,
): Promise<void> {
  for (const { signal, milliseconds } of steps) {
    if (!(await isAlive())) return
    await send(native, pid, signal)
    let pause = 2
    for (let waited = 0; waited < milliseconds; waited += pause) {
      pause = Math.min(pause * 1.5, 100)
      await sleep(pause)
      if (!(await isAlive())) return
    }
  }
  throw storeErrors.serverUnstoppable(data, pid)
}

async function send(native: string, pid: number, signal: (typeof steps)[number]['signal']): Promise<void> {
  if (process.platform === 'win32') {
    // Windows has no signals; PostgreSQL reads its own from a pipe that pg_ctl writes to.
    const limits = { cwd: native, user: undefined, milliseconds: 5_000 }
    await runProgram(program(native, 'pg_ctl'), ['kill', signal.slice('SIG'.length), String(pid)], limits)
    return
  }
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}
