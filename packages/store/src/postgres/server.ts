import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { codeOf, reasonOf, StoreError, storeErrors } from '../store-error.ts'
import type { StoreLog } from '../store-log.ts'
import { program } from './binaries.ts'
import { passwordFile } from './data-directory.ts'
import type { Place } from './place.ts'
import { spawnError, spawnOptions } from './run-program.ts'
import { boundServerLog, openServerLog, readLogTail, serverLogPath } from './server-log.ts'
import { type ServerSettings, settingArguments } from './settings.ts'
import { stopServer } from './stop-server.ts'

/** How to reach the database, as `pg` reads it; `host` that starts with a slash is the folder of a socket. */
export interface Connection {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
}

/** A running server, ready for connections. */
export interface Server {
  readonly pid: number
  /** Settles when the server is gone, with how it went. */
  readonly exited: Promise<string>
  stop(): Promise<void>
}

export interface ServerPlan {
  readonly place: Place
  readonly connection: Connection
  readonly settings: ServerSettings
  readonly log: StoreLog
}

/** Recovery after a crash reads at most `max_wal_size`, or a little more. */
const readyMilliseconds = 120_000
const noticeMilliseconds = 3_000

/**
 * Starts the server and waits until it takes connections.
 *
 * @throws {StoreError} `start_failed`, `start_timed_out`, `password_refused`, `user_switch_refused`, `platform_unsupported`
 */
export async function startServer(plan: ServerPlan, signal: AbortSignal): Promise<Server> {
  const { place } = plan
  const server = await spawnServer(plan)
  try {
    await waitUntilReady(plan, server, signal)
    return server
  } catch (error) {
    await server.stop()
    if (error instanceof StoreError || signal.aborted) throw error
    const log = serverLogPath(place.home)
    throw storeErrors.startFailed(place.data, reasonOf(error), log, await readLogTail(log))
  }
}

async function spawnServer({ place, settings, log: say }: ServerPlan): Promise<Server> {
  const { data, home, native, serverUser, fileOwner } = place
  const path = program(native, 'postgres')
  await boundServerLog(serverLogPath(home), fileOwner).catch(error => say('warn', reasonOf(error)))
  const log = await openServerLog(serverLogPath(home), fileOwner)
  try {
    const child = spawn(path, ['-D', data, ...settingArguments(settings)], {
      ...spawnOptions(data, serverUser),
      stdio: ['ignore', log.fd, log.fd],
      detached: true, // Ctrl-C is for Hedron, which first finishes what it is doing
    })
    try {
      await once(child, 'spawn')
    } catch (error) {
      throw await spawnError(path, serverUser, error)
    }
    const { pid } = child
    if (pid === undefined) throw new Error('a process that was spawned has no pid')
    let alive = true
    const { promise: exited, resolve } = Promise.withResolvers<string>()
    child.once('exit', (code, signal) => {
      alive = false
      resolve(signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`)
    })
    return { pid, exited, stop: () => stopServer(place, pid, () => alive) }
  } finally {
    await log.close()
  }
}

async function waitUntilReady(plan: ServerPlan, server: Server, signal: AbortSignal): Promise<void> {
  const { connection, log, place } = plan
  const ended = server.exited.then(reason => {
    throw new Error(reason)
  })
  ended.catch(() => {}) // raced below, and nobody listens after that
  let noticed = false
  const notice = AbortSignal.timeout(noticeMilliseconds)
  const deadline = AbortSignal.timeout(readyMilliseconds)
  for (let pause = 5; ; pause = Math.min(pause * 1.3, 100)) {
    signal.throwIfAborted()
    const problem = await Promise.race([tryConnection(connection), ended])
    if (problem === undefined) return
    if (codeOf(problem) === undefinedDatabase) {
      await Promise.race([createDatabase(connection), ended])
      return
    }
    if (codeOf(problem) === invalidPassword) throw storeErrors.passwordRefused(passwordFile(place.home), problem)
    if (deadline.aborted) {
      throw storeErrors.startTimedOut(
        place.data,
        readyMilliseconds / 1_000,
        reasonOf(problem),
        serverLogPath(place.home),
      )
    }
    if (notice.aborted && !noticed) {
      noticed = true
      log('info', `PostgreSQL on ${place.data} is not ready yet: ${reasonOf(problem)}`)
    }
    await Promise.race([sleep(pause), ended])
  }
}

const undefinedDatabase = '3D000'
const duplicateDatabase = '42P04'
const invalidPassword = '28P01'

/** @returns why it did not work */
async function tryConnection(connection: Connection): Promise<Error | undefined> {
  const client = makeClient(connection)
  try {
    await client.connect()
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  } finally {
    await client.end().catch(() => {})
  }
}

async function createDatabase(connection: Connection): Promise<void> {
  const client = makeClient({ ...connection, database: 'postgres' })
  try {
    await client.connect()
    await client.query(`create database ${client.escapeIdentifier(connection.database)}`)
  } catch (error) {
    if (codeOf(error) !== duplicateDatabase) throw error
  } finally {
    await client.end().catch(() => {})
  }
}

function makeClient(connection: Connection): Client {
  const client = new Client({
    ...connection,
    ssl: false,
    connectionTimeoutMillis: 5_000,
    application_name: 'hedron start',
  })
  client.on('error', () => {}) // a server that ends meanwhile is noticed by its process
  return client
}
