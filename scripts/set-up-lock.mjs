// One set-up at a time. Plain old JavaScript, for whatever Node the machine has.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Runs one process at a time through `work`, by a folder that only one can make; a lock that its holder left behind is taken over. */
export function withLock(lock, what, say, work) {
  const deadline = Date.now() + 10 * 60_000
  for (let told = false; ; told = true) {
    try {
      mkdirSync(lock)
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (isStale(lock)) {
      rmSync(lock, { recursive: true, force: true })
      continue
    }
    if (Date.now() > deadline) {
      say(`Another ${what} holds ${lock} for ten minutes. Remove that folder if none is running.`)
      process.exit(1)
    }
    if (!told) say(`Waiting for another ${what} in this folder ...`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
  }
  const release = () => rmSync(lock, { recursive: true, force: true })
  process.on('exit', release)
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130))
  writeFileSync(join(lock, 'pid'), String(process.pid))
  work()
  process.removeListener('exit', release)
  release()
}

function isStale(lock) {
  try {
    const pid = Number(readFileSync(join(lock, 'pid'), 'utf8'))
    process.kill(pid, 0)
    return false
  } catch (error) {
    if (error.code === 'ESRCH') return true
    if (error.code !== 'ENOENT') return false
    // Made, but its owner has not written its pid yet, or was killed before it could.
    try {
      return Date.now() - statSync(lock).mtimeMs > 5000
    } catch {
      return false
    }
  }
}
