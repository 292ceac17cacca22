import { randomUUID } from 'node:crypto'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import type { DataSource } from '../../shapes/data-source.ts'
import type { Driver, OpenSource, RowSink, Statement } from '../../shapes/driver.ts'
import type { Cell, Parameter } from '../../shapes/query.ts'
import { commented } from '../commented.ts'
import { readPort, readRequired, readSsl, readYesOrNo } from '../network/read-settings.ts'
import { settledWithin } from '../network/settled-within.ts'
import { columnOf, createCellWriter } from './cells.ts'
import { explained } from './errors.ts'

const plainPort = 8123
const encryptedPort = 8443

/** How long a stopped query waits for the server to say that it stops it. */
const killMilliseconds = 5_000

/** The client ends idle connections before servers do, after 10 s, or old ones, after 3 s. */
const idleMilliseconds = 2_500

/** With which a statement cannot write or change more than its own settings, and numbers and times arrive whole. */
const settings: ClickHouseSettings = {
  readonly: '2',
  session_timezone: 'UTC',
  date_time_output_format: 'iso',
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_decimals: 1,
  output_format_json_quote_denormals: 0,
  output_format_json_named_tuples_as_objects: 1,
  // An error in the middle must not look like a row.
  http_write_exception_in_output_format: 0,
  cancel_http_readonly_queries_on_client_close: 1,
}

/** A ClickHouse server, by its HTTP interface. */
export function createClickHouseDriver(): Driver {
  return {
    type: 'clickhouse',
    defaultConcurrency: 10,
    embedded: false,
    check(source) {
      readSettings(source)
    },
    async open(source) {
      return openSource(source, await connect(source))
    },
  }
}

function readSettings(source: DataSource) {
  const ssl = readSsl(source)
  const host = readRequired(source, 'DB_HOST', 'the host name of the ClickHouse server')
  const port = readPort(source, ssl === false ? plainPort : encryptedPort)
  const { DB_NAME: database, DB_USER: user, DB_PASS: password } = source.settings
  return {
    url: `${ssl === false ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    ssl,
    database: database || 'default',
    username: user || 'default',
    password: password ?? '',
    isCompressed: readYesOrNo(source, 'DB_CLICKHOUSE_COMPRESSION', false),
  }
}

async function connect(source: DataSource): Promise<ClickHouseClient> {
  const { createClient, ClickHouseLogLevel } = await import('@clickhouse/client')
  const { url, ssl, database, username, password, isCompressed } = readSettings(source)
  // One connection more than queries, for stopping them.
  const pool = {
    keepAlive: true,
    maxSockets: source.concurrency + 1,
    timeout: idleMilliseconds,
    scheduling: 'lifo',
  } as const
  return createClient({
    url,
    database,
    username,
    password,
    application: 'hedron',
    compression: { response: isCompressed, request: false },
    // The service bounds the time of a query; this is for a server that says nothing at all.
    request_timeout: source.timeoutMs + 60_000,
    http_agent: ssl === false ? new HttpAgent(pool) : new HttpsAgent({ ...pool, ...ssl }),
    log: { level: ClickHouseLogLevel.OFF },
  })
}

function openSource(source: DataSource, client: ClickHouseClient): OpenSource {
  return {
    async stream(statement, sink, signal) {
      signal.throwIfAborted()
      const queryId = randomUUID()
      try {
        await streamStatement(client, queryId, statement, sink, signal)
      } catch (error) {
        if (!signal.aborted) throw explained(error, source)
        await settledWithin(killMilliseconds, kill(client, queryId))
        throw signal.reason
      }
    },
    async test(signal) {
      try {
        const result = await client.query({ query: 'SELECT 1', format: 'JSON', abort_signal: signal })
        await result.text()
      } catch (error) {
        signal.throwIfAborted()
        throw explained(error, source)
      }
    },
    close: () => client.close(),
  }
}

async function streamStatement(
  client: ClickHouseClient,
  queryId: string,
  statement: Statement,
  sink: RowSink,
  signal: AbortSignal,
): Promise<void> {
  const result = await client.query({
    query: commented(statement.sql, statement.comment),
    format: 'JSONCompactEachRowWithNamesAndTypes',
    query_id: queryId,
    query_params: Object.fromEntries(statement.parameters.map((value, index) => [`p${index + 1}`, asText(value)])),
    clickhouse_settings: settings,
    abort_signal: signal,
  })
  try {
    let names: readonly unknown[] | undefined
    let writers: readonly ((value: unknown) => Cell)[] | undefined
    for await (const lines of result.stream()) {
      const rows: Cell[][] = []
      for (const line of lines) {
        const values = readLine(line.text)
        if (writers) rows.push(writers.map((write, column) => write(values[column])))
        else if (names) {
          writers = values.map(type => createCellWriter(String(type)))
          const known = names
          sink.columns(values.map((type, column) => columnOf(String(known[column]), String(type))))
        } else names = values
      }
      if (rows.length > 0) await sink.rows(rows)
    }
    signal.throwIfAborted()
    if (!writers) throw new Error('the server ended its answer before the first row')
  } finally {
    result.close()
  }
}

/** What is no row is what the server says of an error after the first rows. */
function readLine(text: string): readonly unknown[] {
  const start = text.trimStart()
  const values: unknown = start.startsWith('[') ? JSON.parse(start) : undefined
  if (Array.isArray(values)) return values
  const [, code, message] = /Code: (\d+)\. DB::Exception: ([\s\S]*)/.exec(text) ?? []
  throw Object.assign(new Error(message ?? text), code === undefined ? {} : { code })
}

/** All placeholders are declared as text, which the SQL casts where it needs another type. */
const asText = (value: Parameter): string | null => (value === null ? null : String(value))

const kill = (client: ClickHouseClient, queryId: string) =>
  client.command({ query: 'KILL QUERY WHERE query_id = {id:String} ASYNC', query_params: { id: queryId } })
