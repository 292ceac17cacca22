import { spawn } from 'node:child_process'

export interface ProgramRun {
  /** Null where a signal ended it. */
  readonly code: number | null
  /** The end of what it printed on both outputs. */
  readonly output: string
}

interface ProgramOptions {
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly milliseconds: number
}

const mostOutput = 64 * 1024

/**
 * Runs a program that is not ours, with nothing of this process's environment but where programs are.
 *
 * @returns null where there is no such program.
 * @throws the signal's reason when it is aborted; an error that says so when the time is over.
 */
export async function runProgram(
  program: string,
  argv: readonly string[],
  { folder, environment, signal, milliseconds }: ProgramOptions,
): Promise<ProgramRun | null> {
  signal.throwIfAborted()
  const deadline = AbortSignal.timeout(milliseconds)
  const ending = AbortSignal.any([signal, deadline])
  const child = spawn(program, argv, {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', HOME: folder, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that what it started ends with it.
    detached: true,
  })
  let output = ''
  const collect = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-mostOutput)
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It is gone.
    }
  }
  ending.addEventListener('abort', kill, { once: true })
  try {
    const code = await new Promise<number | null | 'absent'>((resolve, reject) => {
      child.once('error', error => ('code' in error && error.code === 'ENOENT' ? resolve('absent') : reject(error)))
      child.once('close', resolve)
    })
    signal.throwIfAborted()
    if (code === 'absent') return null
    if (deadline.aborted) throw new Error(`${program} took longer than ${milliseconds / 1000} s and was stopped`)
    return { code, output }
  } finally {
    ending.removeEventListener('abort', kill)
  }
}
