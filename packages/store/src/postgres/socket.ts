import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { lstat, mkdir, rm, rmdir } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { codeOf, storeErrors } from '../store-error.ts'
import { give } from './files.ts'
import { makeServerFolder, type Place } from './place.ts'

/** Where the server listens: a folder that holds its socket, or (Windows) the loopback address. */
export interface Endpoint {
  readonly host: string
  readonly port: number
  readonly socketDirectory?: string
}

/** `sun_path` without its closing NUL. */
const pathLimit = process.platform === 'linux' ? 107 : 103

/** Only names the socket; nothing listens on TCP. */
const socketPort = 5432

export const socketPath = (directory: string, port: number) => join(directory, `.s.PGSQL.${port}`)

const fits = (directory: string) => Buffer.byteLength(socketPath(directory, socketPort)) <= pathLimit

/**
 * Chooses the endpoint: a socket in `home`, or where that path would be too long, in a private folder below the system's
 * temporary one, always the same for one home.
 *
 * @throws {StoreError} `socket_path_too_long`, `socket_directory_unsafe`
 */
export async function chooseEndpoint(place: Place): Promise<Endpoint> {
  if (process.platform === 'win32') return { host: '127.0.0.1', port: await freePort() }
  const directory = await prepareSocketDirectory(place)
  return { host: directory, port: socketPort, socketDirectory: directory }
}

/** Removes a socket left behind: PostgreSQL refuses one whose pid is somebody else's by now. Only call with no server running. */
export async function clearSocket({ socketDirectory, port }: Endpoint): Promise<void> {
  if (socketDirectory === undefined) return
  const path = socketPath(socketDirectory, port)
  await rm(path, { force: true })
  await rm(`${path}.lock`, { force: true })
}

/** Removes the folder that only stood in for one in `home`. */
export async function leaveEndpoint({ home }: Place, { socketDirectory }: Endpoint): Promise<void> {
  if (socketDirectory === undefined || dirname(socketDirectory) === home) return
  await rmdir(socketDirectory).catch(() => {}) // not empty where the server could not clean up
}

async function prepareSocketDirectory({ home, serverUser }: Place): Promise<string> {
  const inHome = join(home, 'socket')
  if (fits(inHome)) {
    await makeServerFolder(inHome, serverUser)
    return inHome
  }
  const name = `hedron-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`
  const directory = [tmpdir(), '/tmp'].map(folder => join(folder, name)).find(fits)
  if (directory === undefined) throw storeErrors.socketPathTooLong(join(tmpdir(), name), pathLimit)
  await makePrivateFolder(directory, serverUser)
  return directory
}

/** In a folder where everybody may create, a folder of this name may be somebody else's trap. */
async function makePrivateFolder(directory: string, owner: Place['serverUser']): Promise<void> {
  try {
    await mkdir(directory, { mode: 0o700 })
    await give(directory, owner)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  const found = await lstat(directory)
  const uid = owner?.uid ?? process.getuid?.()
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    throw storeErrors.socketDirectoryUnsafe(directory)
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no port')
  return address.port
}

/** Whether anything accepts connections on a socket. */
export async function answers(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect({ path, timeout: 1_000 })
  socket.once('connect', () => resolve(true))
  socket.once('timeout', () => resolve(false))
  socket.once('error', () => resolve(false))
  try {
    return await promise
  } finally {
    socket.destroy()
  }
}
