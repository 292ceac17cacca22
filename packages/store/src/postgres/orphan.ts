import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { storeErrors } from '../store-error.ts'
import type { StoreLog } from '../store-log.ts'
import { program } from './binaries.ts'
import { exists, readText } from './files.ts'
import type { Place } from './place.ts'
import { parsePostmasterFile, withPid } from './postmaster-file.ts'
import { isServerOf } from './process-identity.ts'
import { runProgram } from './run-program.ts'
import { answers, socketPath } from './socket.ts'
import { stopServer } from './stop-server.ts'

/**
 * Stops the server that a killed Hedron left running, and makes sure that what a crash or a power loss left in
 * `postmaster.pid` does not keep the next one from starting. Only call while holding the directory's lock: it is what says
 * that nobody uses that server any more.
 *
 * @throws {StoreError} `server_unstoppable`, `server_elsewhere`
 */
export async function stopOrphan(place: Place, log: StoreLog): Promise<void> {
  const path = join(place.data, 'postmaster.pid')
  const text = await readText(path)
  if (text === undefined) return
  if (process.platform === 'win32') return await stopOrphanOnWindows(place)
  const file = parsePostmasterFile(text)
  if (file === undefined) return await removeEmptyFile(place, path, log)
  if (await isServerOf(file.pid, place.data)) {
    log('info', `Stopping the PostgreSQL server (process ${file.pid}) that an earlier Hedron left on ${place.data}`)
    await stopServer(place, file.pid, () => isServerOf(file.pid, place.data))
    return
  }
  if (file.socketDirectory !== undefined && file.port !== undefined) {
    const socket = socketPath(file.socketDirectory, file.port)
    if (await answers(socket)) throw storeErrors.serverElsewhere(place.data, socket)
  }
  await disown(path, text)
}

/**
 * PostgreSQL refuses to start while the process named in the file lives, though it may be a stranger by now. Naming this
 * process, the new server's parent, says that it does not; the rest of the file stays, as PostgreSQL goes on to look
 * whether children of the old server still use its shared memory.
 */
async function disown(path: string, text: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.truncate(0)
    await file.write(withPid(text, process.pid), 0)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A server that is just being started writes its pid within moments; one that lost power never will. */
async function removeEmptyFile(place: Place, path: string, log: StoreLog): Promise<void> {
  await sleep(500)
  const text = await readText(path)
  if (text === undefined) return
  if (parsePostmasterFile(text) !== undefined) return await stopOrphan(place, log)
  await rm(path, { force: true })
}

/** pg_ctl reaches a server by a pipe named for its pid, which only a PostgreSQL server opens. */
async function stopOrphanOnWindows({ data, native }: Place): Promise<void> {
  for (const mode of ['fast', 'immediate']) {
    if (!(await exists(join(data, 'postmaster.pid')))) return
    const limits = { cwd: native, user: undefined, milliseconds: 20_000 }
    await runProgram(program(native, 'pg_ctl'), ['stop', '-D', data, '-m', mode, '-t', '15'], limits)
  }
}
