import { type SpawnOptions, spawn } from 'node:child_process'
import { codeOf, storeErrors } from '../store-error.ts'
import { exists } from './files.ts'
import type { SystemUser } from './system-user.ts'

/**
 * Nothing of Hedron's environment: it may hold secrets, and PG* variables would change what the programs do. LC_ALL keeps
 * messages in English; TZ spares initdb a search through the system's time zones.
 */
export function programEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    LC_ALL: 'C',
    TZ: 'UTC',
    ...(environment.PATH === undefined ? {} : { PATH: environment.PATH }),
    ...(environment.SystemRoot === undefined ? {} : { SystemRoot: environment.SystemRoot }),
    ...(environment.LD_LIBRARY_PATH === undefined ? {} : { LD_LIBRARY_PATH: environment.LD_LIBRARY_PATH }),
  }
}

export function spawnOptions(cwd: string, user: SystemUser | undefined): SpawnOptions {
  return {
    cwd,
    env: programEnvironment(process.env),
    windowsHide: true,
    ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
  }
}

/** Translates why a program could not even be started. */
export async function spawnError(path: string, user: SystemUser | undefined, error: unknown): Promise<unknown> {
  if (user !== undefined && ['EPERM', 'EINVAL'].includes(codeOf(error) ?? '')) {
    return storeErrors.userSwitchRefused(user.name, error)
  }
  // The file is there and yet not found: its program loader is missing, as on a system with another C library.
  if (codeOf(error) === 'ENOENT' && (await exists(path))) {
    return storeErrors.platformUnsupported('this system, which has no glibc (Alpine, for one)', error)
  }
  return error
}

/** Runs a program to its end. @returns exit code (-1 where a signal or the time limit ended it) and everything it printed */
export async function runProgram(
  path: string,
  args: readonly string[],
  { cwd, user, milliseconds }: { cwd: string; user: SystemUser | undefined; milliseconds: number },
): Promise<{ code: number; output: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ code: number; output: string }>()
  const child = spawn(path, args, {
    ...spawnOptions(cwd, user),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: milliseconds,
    killSignal: 'SIGKILL',
  })
  let output = ''
  const collect = (chunk: Buffer) => {
    output += chunk.toString('utf8')
  }
  child.stdout?.on('data', collect)
  child.stderr?.on('data', collect)
  child.on('error', reject)
  child.on('close', code => resolve({ code: code ?? -1, output: output.trim() }))
  try {
    return await promise
  } catch (error) {
    throw await spawnError(path, user, error)
  }
}
