import type { FieldPacket, PoolConnection } from 'mysql2'
import { problems } from '../../query-service-error.ts'
import type { DataSource } from '../../shapes/data-source.ts'
import type { OpenSource, RowSink, Statement } from '../../shapes/driver.ts'
import type { Cell } from '../../shapes/query.ts'
import { commented } from '../commented.ts'
import type { ServerSettings } from '../network/read-settings.ts'
import { type Failing, withConnection } from '../network/with-connection.ts'
import { createPortions } from '../portions.ts'
import { columnOf, createCellWriter } from './cells.ts'
import { createConnections } from './connections.ts'
import { explained } from './errors.ts'

/** What a prepared statement can number. */
const mostParameters = 65_535

/** Rows that the client reads ahead. */
const ahead = 2_000

/** @param socketPath of a server on this machine, in place of its host */
export function openSource(source: DataSource, server: ServerSettings, socketPath: string | undefined): OpenSource {
  const connections = createConnections(source, server, socketPath)
  const failing: Failing = {
    explained: error => explained(error, source),
    // After any other error rows may be left that nobody has read.
    staysSound: ({ code }) => code === 'query_failed',
  }
  return {
    stream: (statement, sink, signal) =>
      withConnection(connections, failing, signal, connection => streamStatement(connection, statement, sink, signal)),
    async test(signal) {
      await withConnection(connections, failing, signal, async () => {})
    },
    close: () => connections.close(),
  }
}

async function streamStatement(
  connection: PoolConnection,
  statement: Statement,
  sink: RowSink,
  signal: AbortSignal,
): Promise<void> {
  const { parameters } = statement
  if (parameters.length > mostParameters) {
    throw problems.queryFailed(
      `The query has ${parameters.length} values and MySQL takes ${mostParameters}. Ask with fewer values in filters.`,
    )
  }
  const sql = commented(statement.sql, statement.comment)
  if (/\bCONVERT_TZ\b/i.test(sql)) await checkZones(connection)
  await checkReads(connection, sql)
  // As text, which the server converts to what stands beside it: numbers would arrive as doubles.
  const values = parameters.map(value => (typeof value === 'number' ? String(value) : value))
  const command = connection.execute({ sql, values })
  let writers: readonly ((value: unknown) => Cell)[] = []
  command.on('fields', (packets: unknown) => {
    const fields: readonly FieldPacket[] = Array.isArray(packets) ? packets : []
    writers = fields.map(createCellWriter)
    sink.columns(fields.map(columnOf))
  })
  const portions = createPortions(sink)
  const stream = command.stream({ highWaterMark: ahead })
  // The client tells a stream nothing of a connection that breaks.
  const broken = (error: Error) => stream.destroy(error)
  connection.once('error', broken)
  try {
    for await (const row of stream) {
      signal.throwIfAborted()
      const values: readonly unknown[] = Array.isArray(row) ? row : []
      await portions.add(values.map((value, column) => writers[column]?.(value) ?? null))
    }
    await portions.end()
  } finally {
    connection.removeListener('error', broken)
  }
}

/** Connections whose server was found to know time zones. */
const withZones = new WeakSet<object>()

/** Without its tables of zones the server converts every time to null, which would be a wrong answer and no error. */
async function checkZones(connection: PoolConnection): Promise<void> {
  if (withZones.has(connection)) return
  const isKnown = await new Promise<boolean>((resolve, reject) => {
    const sql = "SELECT CONVERT_TZ('2000-01-01 00:00:00', '+00:00', 'Europe/Berlin') IS NOT NULL"
    connection.query(sql, (error, rows) => (error ? reject(error) : resolve(JSON.stringify(rows) === '[[1]]')))
  })
  if (!isKnown) {
    throw problems.queryFailed(
      'The query needs time zones, and the tables of time zones of this MySQL server are empty. Fill them with mysql_tzinfo_to_sql, or ask in UTC.',
    )
  }
  withZones.add(connection)
}

/** Refuses what gives no rows before it runs, such as `SELECT … INTO OUTFILE`, which a read-only transaction would let pass. */
function checkReads(connection: PoolConnection, sql: string): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.prepare(sql, (error, prepared) => {
      if (error) reject(error)
      else if (Reflect.get(prepared, 'columns')?.length > 0) resolve()
      else reject(problems.statementRefused('it gives no rows, and queries only read.'))
    })
  })
}
