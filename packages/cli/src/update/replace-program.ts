import { execFile } from 'node:child_process'
import { mkdtemp, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Failure } from '../framework/failure.ts'
import { versionLine } from '../version.ts'

/**
 * Puts a new program in the place of the one that runs, in one step: it is written beside it, must start and name its version,
 * and is moved over. Whatever goes wrong before leaves the old one where it was. Gives the path that was replaced.
 *
 * @throws {Failure} `update_failed`
 */
export async function replaceProgram(
  executable: string,
  bytes: Buffer,
  version: string,
  platform: NodeJS.Platform,
): Promise<string> {
  const path = await realpath(executable)
  let folder: string | null = null
  try {
    folder = await mkdtemp(join(dirname(path), '.hedron-update-'))
    const fresh = join(folder, basename(path))
    const { mode } = await stat(path)
    const file = await open(fresh, 'wx', (mode & 0o777) | 0o500)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await checkThatItStarts(fresh, version)
    if (platform === 'win32') {
      // A program that runs cannot be overwritten on Windows, but it can be moved away; the next start removes it.
      const old = replacedPath(path)
      await rm(old, { force: true })
      await rename(path, old)
      await rename(fresh, path).catch(async error => {
        await rename(old, path)
        throw error
      })
    } else {
      await rename(fresh, path)
    }
    return path
  } catch (error) {
    throw new Failure('update_failed', { path }, error)
  } finally {
    if (folder !== null) await rm(folder, { recursive: true, force: true })
  }
}

/** Where the program that was replaced goes on Windows. */
const replacedPath = (path: string): string => `${path}.old`

/** Removes what an update on Windows had to leave; while that still runs, it stays until a later start. */
export async function removeReplaced(executable: string): Promise<void> {
  await rm(replacedPath(executable), { force: true }).catch(() => {})
}

async function checkThatItStarts(program: string, version: string): Promise<void> {
  const { stdout } = await promisify(execFile)(program, ['--version'], { timeout: 30_000 })
  const expected = versionLine.replace(/\S+$/, version)
  if (stdout.trim() !== expected) throw new Error(`the new program says '${stdout.trim()}' and not '${expected}'`)
}
