import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

export interface ProgramRun {
  /** Null where a signal ended it. */
  readonly code: number | null
  /** The end of what it printed on both outputs. */
  readonly output: string
}

/** What a program that is not ours may take. */
export interface ProgramLimits {
  readonly milliseconds: number
  /** Address space of each of its processes; a system whose shell knows no such limit has none. */
  readonly memoryBytes: number
}

interface ProgramOptions {
  readonly folder: string
  /** Its home and its place for temporary files. */
  readonly home: string
  readonly environment: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly limits: ProgramLimits
}

/** Of what it prints the end is kept; whoever prints a hundred times as much as anybody reads is stopped. */
const keptOutput = 64 * 1024
const mostOutput = 16 * 1024 * 1024
const largestFile = 1024 ** 3
/** For processes that left the group and hold its outputs open. */
const outputPatience = 1_000

/**
 * The shell that watches over the program: it sets the limits, and ends the whole group once its input ends, which it does when this
 * process dies, however it dies.
 */
const guard = `
command -v -- "$4" >/dev/null 2>&1 || exit 127
exec 3<&0
{ cat <&3 >/dev/null; kill -KILL 0; } >/dev/null 2>&1 &
ulimit -t "$1" 2>/dev/null; ulimit -f "$2" 2>/dev/null; ulimit -v "$3" 2>/dev/null
shift 3
"$@" </dev/null 3<&-
`
const notFound = 127

/**
 * Runs a program that is not ours, with nothing of this process's environment but where programs are, with limits, and so that nothing
 * of it outlives this process.
 *
 * @returns null where there is no such program.
 * @throws the signal's reason when it is aborted; an error that says so when a limit of ours has stopped it.
 */
export async function runProgram(
  program: string,
  argv: readonly string[],
  { folder, home, environment, signal, limits }: ProgramOptions,
): Promise<ProgramRun | null> {
  signal.throwIfAborted()
  const seconds = Math.ceil(limits.milliseconds / 1000)
  // Blocks of 512 bytes, and of 1,024: so POSIX and the shells that have a limit of memory count.
  const bounds = [seconds, largestFile / 512, Math.floor(limits.memoryBytes / 1024)].map(String)
  const child = spawn('/bin/sh', ['-c', guard, 'sh', ...bounds, program, ...argv], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', HOME: home, TMPDIR: home, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own, so that what it started ends with it.
    detached: true,
  })
  let stopped: string | null = null
  const stop = (why: string | null) => {
    stopped ??= why
    killGroup(child.pid)
  }
  const collected = collectOutput(child, () => stop(`printed more than ${mostOutput / 2 ** 20} MiB`))
  const timer = setTimeout(() => stop(`took longer than ${seconds} s`), limits.milliseconds)
  const abandon = () => stop(null)
  signal.addEventListener('abort', abandon, { once: true })
  try {
    const code = await untilEnd(child)
    signal.throwIfAborted()
    if (stopped !== null) throw new ProgramStopped(`${program} ${stopped} and was stopped`)
    return code === notFound ? null : { code, output: collected() }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abandon)
  }
}

/** Whether there is such a program, by its path or on the path of programs; it is not run to find out. */
export async function isInstalled(program: string): Promise<boolean> {
  const places = program.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter)
  for (const place of places) {
    const isThere = await access(join(place, program), constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return true
  }
  return false
}

/** A program went beyond a limit. */
export class ProgramStopped extends Error {}

type Guarded = ChildProcessByStdio<Writable, Readable, Readable>

/** @returns what gives the end of what was printed so far. */
function collectOutput({ stdin, stdout, stderr }: Guarded, onFlood: () => void): () => string {
  let output = ''
  let total = 0
  const collect = (chunk: Buffer) => {
    total += chunk.length
    if (total > mostOutput) onFlood()
    else output = (output + chunk.toString()).slice(-keptOutput)
  }
  stdout.on('data', collect)
  stderr.on('data', collect)
  // The guard is gone; how it ended is told elsewhere.
  stdin.on('error', () => {})
  return () => output
}

/** Waits until the program has ended and its group with it. @returns its exit code; null where a signal ended it. */
function untilEnd(child: Guarded): Promise<number | null> {
  return new Promise((resolve, reject) => {
    let patience: NodeJS.Timeout | undefined
    child.once('error', reject)
    child.once('exit', () => {
      killGroup(child.pid)
      patience = setTimeout(() => {
        child.stdout.destroy()
        child.stderr.destroy()
      }, outputPatience)
    })
    child.once('close', code => {
      clearTimeout(patience)
      resolve(code)
    })
  })
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It is gone.
  }
}
