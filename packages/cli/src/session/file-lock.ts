import { open, readFile, rm, stat } from 'node:fs/promises'
import type { Effects } from '../effects.ts'
import { Failure } from '../framework/failure.ts'

/** How long to wait for another run's lock, and how old a lock is that was left by a run that died; in milliseconds. */
export interface LockTimes {
  readonly patience: number
  readonly lifetime: number
}

/**
 * Runs `work` while holding a lock file. `assertHeld` fails when somebody took the lock for abandoned in the meantime.
 *
 * @throws {Failure} `config_locked`, `config_unwritable`
 */
export async function withFileLock<T>(
  path: string,
  { now, sleep, randomId }: Pick<Effects, 'now' | 'sleep' | 'randomId'>,
  { patience, lifetime }: LockTimes,
  work: (assertHeld: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const owner = randomId()
  const deadline = now() + patience
  while (!(await createExclusively(path, owner))) {
    const age = await stat(path).then(
      ({ mtimeMs }) => now() - mtimeMs,
      () => 0,
    )
    if (age > lifetime) await rm(path, { force: true })
    else if (now() >= deadline) throw new Failure('config_locked', { path })
    else await sleep(25)
  }
  const isHeld = async () => (await readFile(path, 'utf8').catch(() => '')) === owner
  try {
    return await work(async () => {
      if (!(await isHeld())) throw new Failure('config_locked', { path })
    })
  } finally {
    if (await isHeld()) await rm(path, { force: true })
  }
}

async function createExclusively(path: string, text: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(text)
    } catch (error) {
      // A full disk: a lock that names nobody would keep every later run waiting.
      await rm(path, { force: true })
      throw error
    } finally {
      await file.close()
    }
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw new Failure('config_unwritable', { path }, error)
  }
}
