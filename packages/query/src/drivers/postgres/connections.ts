import pg, { type ClientConfig, type PoolClient } from 'pg'
import type { DataSource } from '../../shapes/data-source.ts'
import type { ServerSettings } from '../network/read-settings.ts'
import type { Connections } from '../network/with-connection.ts'
import { explained, isConnectionError } from './errors.ts'

/** A connection that is ready for one query. */
export interface Connection {
  readonly client: PoolClient
  /** Of the server's process, to cancel what it runs. */
  readonly processId: number
}

const connectMilliseconds = 10_000
const idleMilliseconds = 30_000
const cancelMilliseconds = 5_000
const askProcessId = 'SELECT pg_backend_pid() AS pid'

/**
 * Each query in a transaction that cannot write, in UTC.
 *
 * @param setUp sent once for each connection: how cells are written, which a role or the server may have set otherwise
 */
export function createConnections(
  source: DataSource,
  settings: ServerSettings,
  setUp: readonly string[],
): Connections<Connection> {
  const config: ClientConfig = {
    ...settings,
    connectionTimeoutMillis: connectMilliseconds,
    keepAlive: true,
    application_name: 'hedron',
  }
  const pool = new pg.Pool({ ...config, max: source.concurrency, idleTimeoutMillis: idleMilliseconds })
  // An idle connection that breaks is dropped by the pool, one in use fails its query: neither is news to anyone else.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  const processIds = new WeakMap<PoolClient, number>()

  async function begin(client: PoolClient): Promise<Connection> {
    const known = processIds.get(client)
    const processId = known ?? (await prepare(client, setUp))
    processIds.set(client, processId)
    await client.query('BEGIN READ ONLY')
    return { client, processId }
  }

  return {
    async take(signal) {
      // Every connection of the pool may have broken; a new one that fails tells about the database.
      for (let attempt = source.concurrency; ; attempt--) {
        signal.throwIfAborted()
        let client: PoolClient | undefined
        try {
          client = await pool.connect()
          return await begin(client)
        } catch (error) {
          client?.release(true)
          const wasOpen = client !== undefined && processIds.has(client)
          if (!wasOpen || attempt <= 0 || !isConnectionError(error)) throw explained(error, source)
        }
      }
    },

    async giveBack({ client }, isSound) {
      try {
        if (isSound) await client.query('ROLLBACK')
        client.release(!isSound)
      } catch {
        client.release(true)
      }
    },

    async cancel({ processId }) {
      // A server that says nothing must not collect the connections on which it was asked.
      const client = new pg.Client({ ...config, query_timeout: cancelMilliseconds })
      client.on('error', () => {})
      try {
        await client.connect()
        await client.query('SELECT pg_cancel_backend($1)', [processId])
      } finally {
        await client.end()
      }
    },

    cut: ({ client }) => void client.end(),
    close: () => pool.end(),
  }
}

async function prepare(client: PoolClient, setUp: readonly string[]): Promise<number> {
  // Several statements give several results.
  const results: unknown = await client.query([...setUp, askProcessId].join('; '))
  const last: unknown = Array.isArray(results) ? results.at(-1) : results
  const rows: unknown = typeof last === 'object' && last !== null && 'rows' in last ? last.rows : []
  const row: unknown = Array.isArray(rows) ? rows[0] : undefined
  const pid = typeof row === 'object' && row !== null && 'pid' in row ? Number(row.pid) : Number.NaN
  if (!Number.isInteger(pid)) throw new Error('the server did not say which process serves the connection')
  return pid
}
