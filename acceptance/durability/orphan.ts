import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Id of the database server that runs on a platform's data directory; null where there is none. */
export async function databaseServerOf(dataDirectory: string): Promise<number | null> {
  const text = await readFile(join(dataDirectory, 'postgres', 'data', 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number.parseInt(text, 10)
  return pid > 0 && isAlive(pid) ? pid : null
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Ends the server that a killed platform left, where a test did not come so far as to start another. */
export async function endOrphan(dataDirectory: string): Promise<void> {
  const pid = await databaseServerOf(dataDirectory)
  if (pid !== null) process.kill(pid, 'SIGQUIT')
}
