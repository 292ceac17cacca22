import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { isServerOf } from '../../src/postgres/process-identity.ts'

export const isRoot = process.getuid?.() === 0

/** A folder that is removed after the test. */
export async function temporaryFolder(mode = 0o755): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hedron-store-'))
  await chmod(folder, mode)
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** The pid of the server that runs on a data directory, as it says itself. */
export async function serverPid(home: string): Promise<number> {
  return Number.parseInt(await readFile(join(home, 'data', 'postmaster.pid'), 'utf8'), 10)
}

/** Ends what is left of a server that a test made an orphan. */
export async function endServer(home: string): Promise<void> {
  const pid = await serverPid(home).catch(() => undefined)
  const data = join(home, 'data')
  if (pid === undefined || !(await isServerOf(pid, data))) return
  process.kill(pid, 'SIGQUIT')
  for (let waited = 0; waited < 10_000 && (await isServerOf(pid, data)); waited += 50) await sleep(50)
}
