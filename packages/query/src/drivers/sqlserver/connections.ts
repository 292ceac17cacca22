import type { Connection, ConnectionConfiguration } from 'tedious'
import { problems } from '../../query-service-error.ts'
import type { DataSource } from '../../shapes/data-source.ts'
import { createIdleConnections } from '../network/idle-connections.ts'
import { readServerSettings } from '../network/read-settings.ts'
import type { Connections } from '../network/with-connection.ts'
import { explained } from './errors.ts'

const defaultPort = 1433
const connectMilliseconds = 10_000
const idleMilliseconds = 30_000
const cancelMilliseconds = 5_000

/** @throws QueryServiceError `source_misconfigured`, naming the variable */
export function readSettings(source: DataSource): ConnectionConfiguration {
  const { host, port, database, user, password, ssl } = readServerSettings(source, defaultPort)
  const { DB_DOMAIN: domain } = source.settings
  if (password === undefined) {
    throw problems.sourceMisconfigured(`${source.variablePrefix}DB_PASS`, 'set it to the password of the user.')
  }
  return {
    server: host,
    authentication: domain
      ? { type: 'ntlm', options: { userName: user, password, domain } }
      : { type: 'default', options: { userName: user, password } },
    options: {
      port,
      database,
      appName: 'hedron',
      encrypt: ssl !== false,
      trustServerCertificate: ssl === false || !ssl.rejectUnauthorized,
      ...(ssl === false ? {} : { cryptoCredentialsDetails: { ...ssl } }),
      ...(ssl === false || ssl.servername === undefined ? {} : { serverName: ssl.servername }),
      connectTimeout: connectMilliseconds,
      cancelTimeout: cancelMilliseconds,
      // The service bounds the time of a query.
      requestTimeout: 0,
      // A copy of the database that only reads serves, where there is one.
      readOnlyIntent: true,
      useUTC: true,
      abortTransactionOnError: true,
      datefirst: 1,
      maxRetriesOnTransientErrors: 0,
    },
  }
}

/** Each query in a transaction that is rolled back: SQL Server has none that cannot write. */
export function createConnections(source: DataSource): Connections<Connection> {
  const config = readSettings(source)
  const used = new WeakSet<Connection>()
  const broken = new WeakSet<Connection>()
  const idle = createIdleConnections<Connection>({ idleMs: idleMilliseconds, end: connection => connection.close() })

  async function connect(): Promise<Connection> {
    const { Connection } = await import('tedious')
    const connection = new Connection(config)
    connection.on('error', () => broken.add(connection))
    connection.on('end', () => broken.add(connection))
    await new Promise<void>((resolve, reject) => connection.connect(error => (error ? reject(error) : resolve())))
    return connection
  }

  /** What was set for the session is forgotten when its connection is used again. */
  async function begin(connection: Connection): Promise<Connection> {
    if (used.has(connection)) await done(back => connection.reset(back))
    await done(back => connection.beginTransaction(back))
    used.add(connection)
    return connection
  }

  return {
    async take(signal) {
      // Every idle connection may have broken; a new one that fails tells about the database.
      for (;;) {
        signal.throwIfAborted()
        const known = idle.take()
        if (known && broken.has(known)) continue
        let connection = known
        try {
          connection ??= await connect()
          return await begin(connection)
        } catch (error) {
          connection?.close()
          if (!known) throw explained(error, source)
        }
      }
    },

    async giveBack(connection, isSound) {
      if (!isSound || broken.has(connection)) return connection.close()
      try {
        await done(back => connection.rollbackTransaction(back))
        idle.keep(connection)
      } catch {
        connection.close()
      }
    },

    async cancel(connection) {
      connection.cancel()
    },
    cut: connection => connection.close(),
    close: () => idle.close(),
  }
}

const done = (ask: (back: (error?: Error | null) => void) => void) =>
  new Promise<void>((resolve, reject) => ask(error => (error ? reject(error) : resolve())))
