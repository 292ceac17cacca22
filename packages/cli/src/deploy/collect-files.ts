import { readFileSync } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Failure } from '../framework/failure.ts'

/** A file of the project: its path inside, with slashes, and where it is on disk. */
export interface ProjectFile {
  readonly path: string
  readonly location: string
}

export interface HashedFile extends ProjectFile {
  /** SHA-1 of the bytes, in hexadecimal. */
  readonly hash: string
  readonly size: number
}

const skippedNames = ['node_modules', 'dashboard-app']
/** So often Ctrl-C and answers of the server get their turn. */
const filesReadAtOnce = 50

/**
 * Every deployable file below a folder, sorted by path. Hidden names but `.gitignore` are left out, as are `node_modules` and
 * `dashboard-app`. Links are followed; one that leads back to a folder it lies in is left out, so that the walk ends.
 *
 * @throws {Failure} `not_a_directory`, `file_unreadable` for a link to nothing, `nothing_to_deploy`
 */
export async function collectFiles(directory: string): Promise<readonly ProjectFile[]> {
  const isDirectory = await stat(directory).then(
    found => found.isDirectory(),
    () => false,
  )
  if (!isDirectory) throw new Failure('not_a_directory', { path: directory })
  const files = await filesBelow(directory, '', new Set([await realpath(directory)]))
  if (files.length === 0) throw new Failure('nothing_to_deploy', { path: directory })
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

async function filesBelow(location: string, prefix: string, above: ReadonlySet<string>): Promise<ProjectFile[]> {
  const files: ProjectFile[] = []
  for (const entry of await readdir(location, { withFileTypes: true })) {
    const { name } = entry
    if ((name.startsWith('.') && name !== '.gitignore') || skippedNames.includes(name)) continue
    const found = { path: `${prefix}${name}`, location: join(location, name) }
    const kind = entry.isFile() || entry.isDirectory() ? entry : await followLink(found.location)
    if (kind.isFile()) files.push(found)
    if (!kind.isDirectory()) continue
    const real = await realpath(found.location)
    if (!above.has(real)) files.push(...(await filesBelow(found.location, `${found.path}/`, new Set([...above, real]))))
  }
  return files
}

async function followLink(location: string) {
  try {
    return await stat(location)
  } catch (error) {
    throw new Failure('file_unreadable', { path: location }, error)
  }
}

/**
 * Hashes files one after the other; their bytes are not kept. Model files are small, and each reads in a fifth of the time that
 * handing it to another thread takes.
 *
 * @throws {Failure} `file_unreadable`
 */
export async function hashFiles(files: readonly ProjectFile[], signal: AbortSignal): Promise<readonly HashedFile[]> {
  const hashed: HashedFile[] = []
  for (const file of files) {
    if (hashed.length % filesReadAtOnce === 0) await setImmediate()
    signal.throwIfAborted()
    const bytes = readBytes(file.location)
    hashed.push({ ...file, hash: hashOf(bytes), size: bytes.length })
  }
  return hashed
}

/** @throws {Failure} `file_unreadable` */
export function readBytes(location: string): Buffer<ArrayBuffer> {
  try {
    return readFileSync(location)
  } catch (error) {
    throw new Failure('file_unreadable', { path: location }, error)
  }
}

/** SHA-1 of the bytes, in hexadecimal. */
export const hashOf = (bytes: Buffer): string =>
  process.getBuiltinModule('node:crypto').createHash('sha1').update(bytes).digest('hex')
