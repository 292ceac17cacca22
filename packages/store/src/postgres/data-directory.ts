import { randomBytes, randomUUID } from 'node:crypto'
import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { storeErrors } from '../store-error.ts'
import { program } from './binaries.ts'
import { exists, give, readText, syncDirectory, writePrivate } from './files.ts'
import { makeServerFolder, type Place } from './place.ts'
import { runProgram } from './run-program.ts'

/** The role that owns everything in the embedded server. */
export const embeddedUser = 'hedron'

const stagingPrefix = 'initializing-'
const initdbMilliseconds = 120_000

export const passwordFile = (home: string) => join(home, 'password')

/**
 * Reads the server's password, or makes one for a database to come. It stands before the data directory does, so that a start
 * that was interrupted between the two finds it again.
 *
 * @throws {StoreError} `password_missing`
 */
export async function readPassword({ home, data, fileOwner }: Place): Promise<string> {
  const path = passwordFile(home)
  const existing = (await readText(path))?.trim()
  if (existing) return existing
  if (await exists(data)) throw storeErrors.passwordMissing(path)
  const password = randomBytes(24).toString('base64url')
  await writePrivate(path, `${password}\n`, fileOwner)
  return password
}

/**
 * Makes the data directory where there is none, beside its place and moved there when complete. What interrupted attempts
 * left is removed.
 *
 * @throws {StoreError} `version_mismatch`, `data_damaged`, `initdb_failed`
 */
export async function prepareDataDirectory(
  place: Place,
  password: string,
  major: number,
  onInitialize: () => void,
): Promise<void> {
  await removeStaging(place.home)
  if (await exists(place.data)) {
    const version = (await readText(join(place.data, 'PG_VERSION')))?.trim()
    if (version === undefined) throw storeErrors.dataDamaged(place.data)
    if (version !== String(major)) throw storeErrors.versionMismatch(place.data, version, major)
    return
  }
  onInitialize()
  const staging = join(place.home, `${stagingPrefix}${randomUUID()}`)
  try {
    await initialize(place, staging, password)
    await rename(join(staging, 'data'), place.data)
    await syncDirectory(place.home)
  } finally {
    await rm(staging, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function initialize({ data, native, serverUser }: Place, staging: string, password: string): Promise<void> {
  await makeServerFolder(staging, serverUser)
  const passwordPath = join(staging, 'password')
  await writeFile(passwordPath, `${password}\n`, { mode: 0o600, flag: 'wx' })
  await give(passwordPath, serverUser)
  const { code, output } = await runProgram(
    program(native, 'initdb'),
    [
      `--pgdata=${join(staging, 'data')}`,
      `--username=${embeddedUser}`,
      `--pwfile=${passwordPath}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // The same order and letter case on every platform, whatever its C library knows.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--text-search-config=simple',
      '--data-checksums',
      '--no-instructions',
    ],
    { cwd: staging, user: serverUser, milliseconds: initdbMilliseconds },
  )
  if (code !== 0) throw storeErrors.initdbFailed(data, output)
}

/** An initdb that outlived its Hedron may still be writing in there; then a later start removes it. */
async function removeStaging(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (!name.startsWith(stagingPrefix)) continue
    await rm(join(home, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
  }
}
