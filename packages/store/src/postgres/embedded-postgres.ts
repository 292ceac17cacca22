import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { reasonOf, StoreError } from '../store-error.ts'
import type { StoreLog } from '../store-log.ts'
import { locateBinaries } from './binaries.ts'
import { embeddedUser, prepareDataDirectory, readPassword } from './data-directory.ts'
import { lockDirectory } from './directory-lock.ts'
import { stopOrphan } from './orphan.ts'
import { choosePlace } from './place.ts'
import { type Connection, type Server, type ServerPlan, startServer } from './server.ts'
import { boundServerLog, serverLogPath } from './server-log.ts'
import { type ServerSettings, serverSettings } from './settings.ts'
import { chooseEndpoint, clearSocket, type Endpoint, leaveEndpoint } from './socket.ts'
import { supervise } from './supervisor.ts'

export interface EmbeddedPostgres {
  readonly connection: Connection
  /** Folder that really holds the database, its password and its log. */
  readonly home: string
  /** One sentence for the operator, where something is not where it was asked for. */
  readonly note?: string
  /** Stops the server and gives up the directory. Bounded (27 seconds at worst, usually 20 ms). */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  /** Belongs to this database alone; made where missing. */
  readonly directory: string
  readonly log: StoreLog
  /** Where root's database goes when the server's user can't enter `directory`. */
  readonly systemDirectory?: string
  /** Over the usual settings; for tests. */
  readonly settings?: ServerSettings
  readonly now?: () => number
}

const logCheckMilliseconds = 60_000

/**
 * Starts PostgreSQL on a directory, made where there is none, and keeps it running until stopped.
 *
 * place (where, as whom) -> lock (nobody else's) -> data directory -> no server left behind -> server -> supervision
 *
 * @throws {StoreError} when the directory is in use or not usable, or the server does not start; the message says what to do
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { directory, log, systemDirectory = '/var/lib/hedron', settings = {}, now = Date.now } = options
  const binaries = await locateBinaries()
  const place = await choosePlace(resolve(directory), binaries, systemDirectory)
  const lock = await lockDirectory(place.home, place.fileOwner)
  try {
    const password = await readPassword(place)
    await prepareDataDirectory(place, password, binaries.major, () =>
      log('info', `Making a new database in ${place.data}`),
    )
    const endpoint = await chooseEndpoint(place)
    const connection = { host: endpoint.host, port: endpoint.port, user: embeddedUser, password, database: 'hedron' }
    const plan = { place, connection, settings: { ...serverSettings(endpoint), ...settings }, log }
    const start = (signal: AbortSignal) => startOnCleanGround(plan, endpoint, signal)
    const supervisor = supervise(await start(new AbortController().signal), start, { log, now })
    const logPath = serverLogPath(place.home)
    const boundLog = () => boundServerLog(logPath, place.fileOwner).catch(error => log('warn', reasonOf(error)))
    const logCheck = setInterval(() => void boundLog(), logCheckMilliseconds)
    logCheck.unref()
    return {
      connection,
      home: place.home,
      ...(place.note === undefined ? {} : { note: place.note }),
      async stop() {
        clearInterval(logCheck)
        await supervisor.stop()
        await leaveEndpoint(place, endpoint)
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Children of a server that was killed take a moment to notice and let go of its shared memory. */
const startPauses = [100, 200, 400, 800]

async function startOnCleanGround(plan: ServerPlan, endpoint: Endpoint, signal: AbortSignal): Promise<Server> {
  for (let attempt = 0; ; attempt++) {
    await stopOrphan(plan.place, plan.log)
    await clearSocket(endpoint)
    try {
      return await startServer(plan, signal)
    } catch (error) {
      const pause = startPauses[attempt]
      if (pause === undefined || !(error instanceof StoreError) || error.code !== 'start_failed') throw error
      await sleep(pause, undefined, { signal })
    }
  }
}
