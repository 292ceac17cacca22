import { readFile, readlink, realpath } from 'node:fs/promises'
import { runProgram } from './run-program.ts'

/**
 * Whether a process is a PostgreSQL server of this data directory: pids are reused, so that it lives says nothing. A zombie
 * is none.
 */
export async function isServerOf(pid: number, data: string): Promise<boolean> {
  return process.platform === 'linux' ? await isServerOnLinux(pid, data) : await isServerByCommand(pid, data)
}

async function isServerOnLinux(pid: number, data: string): Promise<boolean> {
  try {
    const name = await readFile(`/proc/${pid}/comm`, 'utf8')
    if (name.trim() !== 'postgres') return false
    // A server's working directory is its data directory, also after that was moved.
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
    if (cwd !== undefined) return cwd === (await realpath(data))
    // Root in a container may be denied another user's links; the command line is open to all, and empty for a zombie.
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8')
    return command.split('\0').includes(data)
  } catch {
    return false
  }
}

async function isServerByCommand(pid: number, data: string): Promise<boolean> {
  const limits = { cwd: '/', user: undefined, milliseconds: 5_000 }
  const { code, output } = await runProgram('/bin/ps', ['-ww', '-o', 'command=', '-p', String(pid)], limits)
  return code === 0 && output.includes('postgres') && output.includes(data)
}
