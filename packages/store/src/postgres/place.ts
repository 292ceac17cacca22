import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { access, chmod, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, type StoreError, storeErrors } from '../store-error.ts'
import { type Binaries, completeLinks, copyBinaries } from './binaries.ts'
import { exists, give, type Owner, readText, writePrivate } from './files.ts'
import { canEnter, findUnprivilegedUser, findUserOf, readUsers, type SystemUser } from './system-user.ts'

/** Where a database lives, and as whom its server runs. */
export interface Place {
  /** Folder of everything that belongs to the database: data, password, log, lock. */
  readonly home: string
  /** PostgreSQL's data directory, below `home`. */
  readonly data: string
  /** Folder with the programs `bin`, `lib` and `share`. */
  readonly native: string
  /** Whom to run the programs as; absent: as this process. */
  readonly serverUser?: SystemUser
  /** Whom to give files in `home` to; absent: they stay this process's. */
  readonly fileOwner?: Owner
  /** What the operator should know, where something is not where it was asked for. */
  readonly note?: string
}

/** Names, in a directory whose database had to go elsewhere, the folder where it is. */
const locationFile = 'location'

const dataOf = (home: string) => join(home, 'data')

/**
 * A plain user's database lives in the directory as asked for. Root's server has to run as somebody else; where that user
 * can't enter the directory, the database goes below `systemDirectory`, and where it can't enter the programs, a copy does.
 */
export async function choosePlace(directory: string, binaries: Binaries, systemDirectory: string): Promise<Place> {
  await makeDirectory(directory)
  const location = await readLocation(directory)
  if (process.getuid?.() === 0) return await placeForRoot(directory, location, binaries, systemDirectory)
  if (location !== undefined) throw storeErrors.directoryOfAnotherUser(directory, 'root')
  await checkOwn(directory)
  const home = directory
  const native = (await completeLinks(binaries.folder)) ? binaries.folder : await copyBinaries(binaries, home)
  return { home, data: dataOf(home), native }
}

async function placeForRoot(
  directory: string,
  location: string | undefined,
  binaries: Binaries,
  systemDirectory: string,
): Promise<Place> {
  if (location !== undefined && !(await exists(location))) throw storeErrors.databaseMoved(directory, location)
  const asked = location ?? directory
  const dataOwner = await ownerOf(dataOf(asked))
  const serverUser = await chooseServerUser(dataOwner)
  const home = await enterableHome(directory, asked, serverUser, dataOwner !== undefined, systemDirectory)
  const homeOwner = await ownerOf(home)
  const fileOwner = homeOwner === undefined || homeOwner.uid === 0 ? undefined : homeOwner
  const native = await enterablePrograms(binaries, serverUser, systemDirectory)
  const note = [
    ...(home === directory ? [] : [`the database of ${directory} is in ${home}`]),
    ...(native === binaries.folder ? [] : [`a copy of PostgreSQL's programs in ${native}`]),
  ].join(', and ')
  return {
    home,
    data: dataOf(home),
    native,
    serverUser,
    ...(fileOwner === undefined ? {} : { fileOwner }),
    ...(note === '' ? {} : { note: `PostgreSQL runs as the user ${serverUser.name}, so ${note}.` }),
  }
}

async function chooseServerUser(dataOwner: Owner | undefined): Promise<SystemUser> {
  const passwd = await readUsers()
  if (dataOwner !== undefined && dataOwner.uid !== 0) return findUserOf(passwd, dataOwner)
  const user = findUnprivilegedUser(passwd)
  if (user === undefined) throw storeErrors.noUnprivilegedUser()
  return user
}

async function enterableHome(
  directory: string,
  asked: string,
  user: SystemUser,
  hasData: boolean,
  systemDirectory: string,
): Promise<string> {
  await letThrough(asked)
  if (await canEnter(asked, user)) return asked
  if (hasData || asked !== directory) throw storeErrors.directoryNotEnterable(dataOf(asked), user.name)
  await makeSystemDirectory(systemDirectory)
  const home = await unusedHome(directory, systemDirectory)
  await makeDirectory(home)
  await letThrough(home)
  if (!(await canEnter(home, user))) throw storeErrors.directoryNotEnterable(dataOf(home), user.name)
  await writePrivate(join(directory, locationFile), `${home}\n`)
  return home
}

/** The server's user passes through to `data`, which it gets; everything else in root's folder stays root's. */
async function letThrough(folder: string): Promise<void> {
  const { uid, mode } = await stat(folder)
  if (uid === 0 && (mode & 0o011) !== 0o011) await chmod(folder, (mode & 0o777) | 0o011)
}

async function makeSystemDirectory(path: string): Promise<void> {
  await makeDirectory(path)
  await letThrough(path)
}

/** A directory that was removed and made again starts with an empty database, not with the one before. */
async function unusedHome(directory: string, systemDirectory: string): Promise<string> {
  const name = createHash('sha256').update(directory).digest('hex').slice(0, 16)
  for (let number = 1; ; number++) {
    const home = join(systemDirectory, number === 1 ? name : `${name}-${number}`)
    if (!(await exists(dataOf(home)))) return home
  }
}

async function enterablePrograms(binaries: Binaries, user: SystemUser, systemDirectory: string): Promise<string> {
  const complete = await completeLinks(binaries.folder)
  if (complete && (await canEnter(join(binaries.folder, 'bin'), user))) return binaries.folder
  await makeSystemDirectory(systemDirectory)
  return await copyBinaries(binaries, systemDirectory)
}

/** PostgreSQL refuses data of another user, even where it could read and write it. */
async function checkOwn(directory: string): Promise<void> {
  const uid = process.getuid?.()
  if (uid === undefined) return
  try {
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw accessError(directory, error)
  }
  const owner = (await ownerOf(dataOf(directory)))?.uid ?? uid
  if (owner !== uid) throw storeErrors.directoryOfAnotherUser(directory, `the user with id ${owner}`)
}

async function readLocation(directory: string): Promise<string | undefined> {
  try {
    return (await readText(join(directory, locationFile)))?.trim()
  } catch (error) {
    throw accessError(directory, error)
  }
}

async function makeDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw accessError(directory, error)
  }
}

function accessError(directory: string, error: unknown): StoreError {
  return codeOf(error) === 'EACCES'
    ? storeErrors.directoryOfAnotherUser(directory, 'another user')
    : storeErrors.directoryUnlockable(directory, error)
}

async function ownerOf(path: string): Promise<Owner | undefined> {
  if (!(await exists(path))) return undefined
  const { uid, gid } = await stat(path)
  return { uid, gid }
}

/** Makes a folder that only the server's user can enter. */
export async function makeServerFolder(path: string, serverUser: SystemUser | undefined): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  await chmod(path, 0o700)
  try {
    await give(path, serverUser)
  } catch (error) {
    // Root without its powers, as in some containers.
    throw storeErrors.userSwitchRefused(serverUser?.name ?? 'another user', error)
  }
}
