import { problems, QueryServiceError } from '../../query-service-error.ts'
import type { DataSource } from '../../shapes/data-source.ts'
import type { Driver, OpenSource, RowSink, Statement } from '../../shapes/driver.ts'
import type { Cell, Parameter } from '../../shapes/query.ts'
import { commented } from '../commented.ts'
import { readPort, readRequired, readSsl } from '../network/read-settings.ts'
import { settledWithin } from '../network/settled-within.ts'
import { shownMessage } from '../network/shown-message.ts'
import { columnOf, createCellWriter } from './cells.ts'
import { TrinoError } from './protocol.ts'
import { createTrinoSessions, type TrinoSessions } from './sessions.ts'

const plainPort = 8080
const encryptedPort = 8443

/** How long a transaction may take to end after its query. */
const endMilliseconds = 5_000

/** Names of errors that speak of the cluster and not of the statement. */
const unavailable: readonly string[] = ['SERVER_SHUTTING_DOWN', 'SERVER_STARTING_UP', 'NO_NODES_AVAILABLE']

/** A Trino cluster, by its REST interface. */
export function createTrinoDriver(): Driver {
  return {
    type: 'trino',
    defaultConcurrency: 4,
    embedded: false,
    check(source) {
      readSettings(source)
    },
    async open(source) {
      return openSource(source, createTrinoSessions(readSettings(source), source))
    },
  }
}

function readSettings(source: DataSource) {
  const { settings, variablePrefix } = source
  const ssl = readSsl(source)
  const password = settings.DB_PASS || undefined
  if (password !== undefined && ssl === false) {
    throw problems.sourceMisconfigured(
      `${variablePrefix}DB_SSL`,
      'a password is sent by encrypted connections only. Set it to true, or take DB_PASS away.',
    )
  }
  return {
    ssl,
    password,
    host: readRequired(source, 'DB_HOST', 'the host name of the Trino coordinator'),
    port: readPort(source, ssl === false ? plainPort : encryptedPort),
    user: readRequired(source, 'DB_USER', 'a user that can read the tables of the model'),
    catalog: settings.DB_PRESTO_CATALOG || settings.DB_CATALOG || undefined,
    schema: settings.DB_SCHEMA || settings.DB_NAME || undefined,
  }
}

function openSource(source: DataSource, sessions: TrinoSessions): OpenSource {
  async function explaining<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      signal.throwIfAborted()
      throw explained(error, source)
    }
  }
  return {
    stream: (statement, sink, signal) => explaining(signal, () => streamStatement(sessions, statement, sink, signal)),
    test: signal =>
      explaining(signal, async () => {
        for await (const _ of sessions.pages('SELECT 1', {}, signal)) signal.throwIfAborted()
      }),
    close: async () => sessions.close(),
  }
}

/** In a transaction that cannot write: Trino has no sessions that can't. */
async function streamStatement(
  sessions: TrinoSessions,
  statement: Statement,
  sink: RowSink,
  signal: AbortSignal,
): Promise<void> {
  const transaction = await sessions.begin(signal)
  try {
    let writers: readonly ((value: unknown) => Cell)[] | undefined
    for await (const { columns, data, updateType } of sessions.pages(textOf(statement), transaction, signal)) {
      if (updateType !== undefined) throw problems.statementRefused(`it is a ${updateType}, and queries only read.`)
      if (columns && !writers) {
        writers = columns.map(({ type }) => createCellWriter(type))
        sink.columns(columns.map(({ name, type }) => columnOf(name, type)))
      }
      const known = writers ?? []
      if (data.length > 0) await sink.rows(data.map(row => known.map((write, column) => write(row[column]))))
    }
    if (!writers) throw problems.statementRefused('it gives no rows, and queries only read.')
  } finally {
    await settledWithin(endMilliseconds, sessions.end(transaction))
  }
}

/** Trino takes values as literals of a statement that it prepared. A quote is all that means something in them. */
function textOf({ sql, parameters, comment }: Statement): string {
  if (parameters.length === 0) return commented(sql, comment)
  const values = parameters.map(literal).join(', ')
  return commented(`EXECUTE IMMEDIATE ${literal(sql)} USING ${values}`, comment)
}

function literal(value: Parameter): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value).toUpperCase()
}

function explained(error: unknown, source: DataSource): QueryServiceError {
  if (error instanceof QueryServiceError) return error
  const message = shownMessage(error, source)
  if (!(error instanceof TrinoError) || unavailable.includes(error.errorName)) {
    return problems.sourceUnavailable(source.name, message, { cause: error })
  }
  if (error.errorName === 'READ_ONLY_VIOLATION') {
    return problems.statementRefused(`it writes, and queries only read (${message}).`, { cause: error })
  }
  return problems.queryFailed(message, { cause: error })
}
