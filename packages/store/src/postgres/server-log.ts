import { constants } from 'node:fs'
import { copyFile, type FileHandle, open, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { exists, give, type Owner } from './files.ts'

/** The server's log file: at most twice {@link limitBytes} are kept, in `postgres.log` and `postgres.log.1`. */
export const serverLogPath = (home: string) => join(home, 'postgres.log')

const limitBytes = 8 * 1024 * 1024
const tailBytes = 4_096
const tailLines = 12

/** Opens the log for a server to append to. */
export async function openServerLog(path: string, owner: Owner | undefined): Promise<FileHandle> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0)
  const file = await open(path, flags, 0o600)
  if (owner !== undefined) await file.chown(owner.uid, owner.gid)
  return file
}

/** Moves a log that has grown aside. The server keeps writing to the same file, which appends, so it goes on at its start. */
export async function boundServerLog(path: string, owner?: Owner): Promise<void> {
  if (!(await exists(path)) || (await stat(path)).size <= limitBytes) return
  const aside = `${path}.1`
  await rm(aside, { force: true })
  await copyFile(path, aside, constants.COPYFILE_EXCL)
  await give(aside, owner)
  await truncate(path, 0)
}

/** The last lines, for a message that says why the server did not start. */
export async function readLogTail(path: string): Promise<string> {
  if (!(await exists(path))) return ''
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const start = Math.max(0, size - tailBytes)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(tailBytes), 0, tailBytes, start)
    return buffer.toString('utf8', 0, bytesRead).trim().split('\n').slice(-tailLines).join('\n')
  } finally {
    await file.close()
  }
}
