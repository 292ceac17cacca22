import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { storeErrors } from '../store-error.ts'
import { give, type Owner, readText, writePrivate } from './files.ts'

/** The right to use a database directory, held by this process until released, or until it ends in whatever way. */
export interface DirectoryLock {
  release(): void
}

/** By path. Reachable from here, because a handle that is collected gives up its lock. */
const held = new Map<string, DatabaseSync>()

/** A Hedron that was just killed may take a moment to be gone. */
const waitMilliseconds = 1_000
const pauseMilliseconds = 50

/**
 * Takes a lock of the operating system on a file in the directory. Node has no call for that, its SQLite has: an exclusive
 * transaction on an empty file, of which nothing is ever written. Unlike a file with a pid in it, it can't be left behind,
 * can't be mistaken when pids are reused or seen from another container, and two that come at once can't both get it.
 *
 * Nothing else in this process may open that file: closing any descriptor of it would give up the lock (POSIX).
 *
 * @throws {StoreError} `directory_in_use`, which names the holder's pid, or `directory_unlockable`
 */
export async function lockDirectory(directory: string, owner?: Owner): Promise<DirectoryLock> {
  const path = join(directory, 'hedron.lock')
  const holderPath = join(directory, 'hedron.lock.holder')
  const deadline = AbortSignal.timeout(waitMilliseconds)
  for (;;) {
    const handle = tryLock(directory, path)
    if (handle !== undefined) {
      held.set(path, handle)
      const release = () => {
        if (held.get(path) !== handle) return
        held.delete(path)
        handle.close()
      }
      try {
        await chmod(path, 0o600)
        await give(path, owner)
        await writePrivate(holderPath, `${process.pid}\n`, owner)
      } catch (error) {
        release()
        throw storeErrors.directoryUnlockable(directory, error)
      }
      return { release }
    }
    if (deadline.aborted || held.has(path)) {
      const pid = Number.parseInt((await readText(holderPath)) ?? '', 10)
      throw storeErrors.directoryInUse(directory, Number.isNaN(pid) ? undefined : pid, held.has(path))
    }
    await sleep(pauseMilliseconds)
  }
}

const sqliteBusy = 5

function tryLock(directory: string, path: string): DatabaseSync | undefined {
  let handle: DatabaseSync | undefined
  try {
    handle = new DatabaseSync(path, { timeout: 0 })
    handle.exec('pragma journal_mode = off; begin exclusive')
    return handle
  } catch (error) {
    handle?.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return undefined
    throw storeErrors.directoryUnlockable(directory, error)
  }
}
