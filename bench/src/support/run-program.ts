import { text } from 'node:stream/consumers'
import type { Scope } from './scope.ts'

export interface ProgramRun {
  readonly milliseconds: number
  readonly stdout: string
}

/** Runs a program to its end. @throws when it fails */
export async function runProgram(
  scope: Scope,
  argv: readonly [command: string, ...rest: string[]],
  options: { readonly environment?: Readonly<Record<string, string>>; readonly cwd?: string } = {},
): Promise<ProgramRun> {
  const [command, ...rest] = argv
  const began = performance.now()
  const child = scope.start(command, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...options.environment },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  })
  const { stdout, stderr } = child
  if (stdout === null || stderr === null) throw new Error('a process was started without its pipes')
  const ended = new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject))
  const [output, errors, code] = await Promise.all([text(stdout), text(stderr), ended])
  const milliseconds = performance.now() - began
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}:\n${errors || output}`)
  return { milliseconds, stdout: output }
}
