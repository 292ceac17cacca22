import type { Connection, ConnectionOptions, RowStatement } from 'snowflake-sdk'
import type { DataSource } from '../../shapes/data-source.ts'
import { createIdleConnections } from '../network/idle-connections.ts'
import type { Connections } from '../network/with-connection.ts'
import { sessionFormats } from './cells.ts'
import { explained } from './errors.ts'

/** A session, and what it runs. */
export interface Session {
  readonly connection: Connection
  running: Pick<RowStatement, 'cancel'> | undefined
}

const idleMilliseconds = 5 * 60_000
const connectMilliseconds = 30_000

export function createConnections(source: DataSource, settings: ConnectionOptions): Connections<Session> {
  const end = ({ connection }: Session) => new Promise<void>(resolve => connection.destroy(() => resolve()))
  const idle = createIdleConnections<Session>({ idleMs: idleMilliseconds, end })
  const formats = Object.entries(sessionFormats).map(([name, value]) => `${name} = '${value}'`)
  // A query that outlives this server ends in the service.
  const setUp = `ALTER SESSION SET ${formats.join(', ')}, STATEMENT_TIMEOUT_IN_SECONDS = ${Math.ceil(source.timeoutMs / 1000)}`

  async function connect(): Promise<Session> {
    const { default: sdk } = await import('snowflake-sdk')
    // Otherwise it writes a log file where the server was started.
    sdk.configure({ logLevel: 'OFF', additionalLogToConsole: false })
    const connection = sdk.createConnection({
      ...settings,
      application: 'hedron',
      rowMode: 'array',
      streamResult: true,
      // Numbers with all digits, times as the session writes them.
      fetchAsString: ['Number', 'Date', 'JSON', 'Buffer'],
      representNullAsStringNull: false,
      timeout: connectMilliseconds,
      sfRetryMaxLoginRetries: 1,
      disableConsoleLogin: true,
      clientStoreTemporaryCredential: false,
    })
    await new Promise<void>((resolve, reject) => connection.connect(error => (error ? reject(error) : resolve())))
    await new Promise<void>((resolve, reject) => {
      connection.execute({ sqlText: setUp, complete: error => (error ? reject(error) : resolve()) })
    })
    return { connection, running: undefined }
  }

  return {
    async take(signal) {
      signal.throwIfAborted()
      for (let known = idle.take(); known; known = idle.take()) {
        if (known.connection.isUp() && (await known.connection.isValidAsync())) return known
        await end(known)
      }
      try {
        return await connect()
      } catch (error) {
        throw explained(error, source)
      }
    },
    async giveBack(session, isSound) {
      session.running = undefined
      if (isSound) idle.keep(session)
      else await end(session)
    },
    cancel: ({ running }) =>
      new Promise((resolve, reject) => {
        if (!running) return resolve()
        running.cancel(error => (error ? reject(error) : resolve()))
      }),
    cut: session => void end(session),
    close: () => idle.close(),
  }
}
