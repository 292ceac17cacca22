import type { PoolClient } from 'pg'
import Cursor from 'pg-cursor'
import { problems } from '../../query-service-error.ts'
import type { DataSource } from '../../shapes/data-source.ts'
import type { Driver, OpenSource, RowSink, Statement } from '../../shapes/driver.ts'
import type { Cell } from '../../shapes/query.ts'
import { commented } from '../commented.ts'
import { readServerSettings } from '../network/read-settings.ts'
import { type Connections, type Failing, withConnection } from '../network/with-connection.ts'
import { columnOf, createCellWriter } from './cells.ts'
import { type Connection, createConnections } from './connections.ts'
import { explained } from './errors.ts'

/** Rows that are asked for at a time: enough to be fast, few enough that other requests come between. */
const mostRows = 2_000
/** Before it is known how wide rows are. */
const firstRows = 25
/** What a portion may take, by the size of the rows before; one row comes however large it is. */
const mostCharacters = 2 ** 21
/** How many times larger a portion may be than the one before. */
const mostGrowth = 20

/** What differs between servers that speak PostgreSQL's protocol. */
export interface PostgresKind {
  readonly type: string
  /** As people call it. */
  readonly title: string
  readonly port: number
  /** What a connection is told first. */
  readonly setUp: readonly string[]
  /** What a statement can number. */
  readonly mostParameters: number
}

const postgres: PostgresKind = {
  type: 'postgres',
  title: 'PostgreSQL',
  port: 5432,
  setUp: [
    "SET TIME ZONE 'UTC'",
    "SET DateStyle = 'ISO, YMD'",
    "SET bytea_output = 'hex'",
    'SET extra_float_digits = 1',
  ],
  mostParameters: 65_535,
}

/** How long a cursor may take to close. */
const closeMilliseconds = 5_000

/** A PostgreSQL server, or one that speaks as it does. */
export function createPostgresDriver(kind: PostgresKind = postgres): Driver {
  return {
    type: kind.type,
    defaultConcurrency: 4,
    embedded: false,
    check(source) {
      readServerSettings(source, kind.port)
    },
    async open(source) {
      return openSource(source, kind, createConnections(source, readServerSettings(source, kind.port), kind.setUp))
    },
  }
}

function openSource(source: DataSource, kind: PostgresKind, connections: Connections<Connection>): OpenSource {
  const failing: Failing = {
    explained: error => explained(error, source),
    staysSound: ({ code }) => code !== 'source_unavailable',
  }
  return {
    async stream(statement, sink, signal) {
      checkParameters(kind, statement)
      await withConnection(connections, failing, signal, connection =>
        streamStatement(connection, statement, sink, signal),
      )
    },
    async test(signal) {
      await withConnection(connections, failing, signal, ({ client }) => client.query('SELECT 1'))
    },
    close: () => connections.close(),
  }
}

function checkParameters({ title, mostParameters }: PostgresKind, { parameters }: Statement): void {
  if (parameters.length <= mostParameters) return
  throw problems.queryFailed(
    `The query has ${parameters.length} values and ${title} takes ${mostParameters}. Ask with fewer values in filters.`,
  )
}

/** Text is text: what a type is made of is decided here, by column, and not by the client's own parsers. */
const asText = { getTypeParser: () => (text: unknown) => text }

async function streamStatement(
  { client }: Connection,
  statement: Statement,
  sink: RowSink,
  signal: AbortSignal,
): Promise<void> {
  const { parameters } = statement
  const text = commented(statement.sql, statement.comment)
  const cursor = client.query(new Cursor<(string | null)[]>(text, [...parameters], { rowMode: 'array', types: asText }))
  const portions = createPortions(client, cursor)
  try {
    let writers: readonly ((text: string) => Cell)[] | undefined
    let asked = firstRows
    for (;;) {
      signal.throwIfAborted()
      const [read, { fields }] = await portions.read(asked)
      if (!writers) {
        writers = fields.map(field => createCellWriter(field.dataTypeID))
        sink.columns(fields.map(({ name, dataTypeID }) => columnOf(name, dataTypeID)))
      }
      await sink.rows(writeRows(read, writers))
      if (read.length < asked) break
      asked = nextPortion(read)
    }
  } finally {
    portions.close()
    if (!portions.isBroken()) await closeCursor(client, cursor)
  }
}

/** A connection that has ended never confirms that a cursor is closed, so the wait has an end of its own. */
async function closeCursor(client: PoolClient, cursor: Cursor): Promise<void> {
  const ended = Promise.withResolvers<void>()
  const late = setTimeout(ended.resolve, closeMilliseconds)
  client.once('end', ended.resolve)
  await Promise.race([cursor.close().catch(() => {}), ended.promise])
  client.removeListener('end', ended.resolve)
  clearTimeout(late)
}

type Read = [rows: (string | null)[][], result: { readonly fields: readonly { name: string; dataTypeID: number }[] }]

/** How many rows like these take no more than a portion may; the number grows slowly, as the next ones may be wider. */
function nextPortion(read: readonly (readonly (string | null)[])[]): number {
  let characters = 0
  for (const row of read) for (const text of row) characters += text?.length ?? 0
  const fitting = Math.floor((mostCharacters * read.length) / Math.max(characters, 1))
  return Math.max(1, Math.min(mostRows, read.length * mostGrowth, fitting))
}

/** Between the end of a result and its confirmation, a cursor says nothing of a connection that breaks; this does. */
function createPortions(client: PoolClient, cursor: Cursor<(string | null)[]>) {
  let broken: Error | undefined
  // No race with one long-lived promise: that would keep every portion until the end.
  let fail = (_: Error): void => {}
  const onEnd = () => {
    broken = new Error('Connection terminated unexpectedly')
    fail(broken)
  }
  client.once('end', onEnd)
  return {
    read: (count: number): Promise<Read> =>
      new Promise((resolve, reject) => {
        fail = reject
        if (broken) reject(broken)
        cursor.read(count, (error: Error | undefined, rows, result) => {
          if (error) reject(error)
          else resolve([rows, result])
        })
      }),
    /** Whether the connection has ended, while nobody read from it too. */
    isBroken: () => broken !== undefined,
    close: () => void client.removeListener('end', onEnd),
  }
}

const writeRows = (read: readonly (string | null)[][], writers: readonly ((text: string) => Cell)[]): Cell[][] =>
  read.map(row =>
    row.map((text, column) => {
      if (text === null) return null
      return writers[column]?.(text) ?? null
    }),
  )
