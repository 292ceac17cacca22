import mysql, { type ConnectionOptions, type PoolConnection } from 'mysql2'
import type { DataSource } from '../../shapes/data-source.ts'
import type { ServerSettings } from '../network/read-settings.ts'
import type { Connections } from '../network/with-connection.ts'
import { explained, isConnectionError } from './errors.ts'

const connectMilliseconds = 10_000
const idleMilliseconds = 30_000

/** Each query in a transaction that cannot write, in UTC. */
export function createConnections(
  source: DataSource,
  { ssl, host, password, ...settings }: ServerSettings,
  socketPath: string | undefined,
): Connections<PoolConnection> {
  const config: ConnectionOptions = {
    ...settings,
    ...(socketPath === undefined ? { host } : { socketPath }),
    ...(password === undefined ? {} : { password }),
    ...(ssl === false ? {} : { ssl: { ...ssl, verifyIdentity: ssl.rejectUnauthorized } }),
    connectTimeout: connectMilliseconds,
    charset: 'utf8mb4',
    timezone: 'Z',
    dateStrings: true,
    jsonStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    rowsAsArray: true,
    // Each query has a comment of its own, so none is prepared twice.
    maxPreparedStatements: 1,
    // A server may otherwise ask the client for files of this machine.
    flags: ['-LOCAL_FILES'],
  }
  const pool = mysql.createPool({
    ...config,
    connectionLimit: source.concurrency,
    maxIdle: source.concurrency,
    idleTimeout: idleMilliseconds,
    enableKeepAlive: true,
    resetOnRelease: true,
  })
  const used = new WeakSet<PoolConnection>()

  const connect = () =>
    new Promise<PoolConnection>((resolve, reject) => {
      pool.getConnection((error, connection) => (error ? reject(error) : resolve(connection)))
    })

  async function begin(connection: PoolConnection): Promise<PoolConnection> {
    await tell(connection, "SET SESSION time_zone = '+00:00'")
    // Holds for whatever transaction a statement begins by itself.
    await tell(connection, 'SET SESSION TRANSACTION READ ONLY')
    await tell(connection, 'START TRANSACTION READ ONLY')
    used.add(connection)
    return connection
  }

  return {
    async take(signal) {
      // Every connection of the pool may have broken; a new one that fails tells about the database.
      for (let attempt = source.concurrency; ; attempt--) {
        signal.throwIfAborted()
        let connection: PoolConnection | undefined
        try {
          connection = await connect()
          return await begin(connection)
        } catch (error) {
          connection?.destroy()
          const wasOpen = connection !== undefined && used.has(connection)
          if (!wasOpen || attempt <= 0 || !isConnectionError(error)) throw explained(error, source)
        }
      }
    },

    async giveBack(connection, isSound) {
      if (!isSound) return connection.destroy()
      try {
        await tell(connection, 'ROLLBACK')
        connection.release()
      } catch {
        connection.destroy()
      }
    },

    async cancel({ threadId }) {
      const other = mysql.createConnection(config)
      other.on('error', () => {})
      try {
        await tell(other, `KILL QUERY ${Number(threadId)}`)
      } finally {
        other.destroy()
      }
    },

    cut: connection => connection.destroy(),
    close: () => new Promise(resolve => pool.end(() => resolve())),
  }
}

const tell = (connection: Pick<PoolConnection, 'query'>, sql: string) =>
  new Promise<void>((resolve, reject) => {
    connection.query(sql, error => (error ? reject(error) : resolve()))
  })
