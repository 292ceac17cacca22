import type { ConnectionOptions, RowStatement } from 'snowflake-sdk'
import { problems } from '../../query-service-error.ts'
import type { DataSource } from '../../shapes/data-source.ts'
import type { Driver, OpenSource, RowSink, Statement } from '../../shapes/driver.ts'
import { commented } from '../commented.ts'
import { type Failing, withConnection } from '../network/with-connection.ts'
import { createPortions } from '../portions.ts'
import { columnOf, createCellWriter, type SnowflakeField } from './cells.ts'
import { createConnections, type Session } from './connections.ts'
import { explained } from './errors.ts'
import { readSettings } from './settings.ts'

/** What a statement can number. */
const mostParameters = 16_384

/** How long a stopped query waits for the service's word. */
const stopMilliseconds = 6_000

/**
 * Snowflake.
 *
 * @param more options of the client beside those of the deployment, to reach another server than Snowflake's
 */
export function createSnowflakeDriver(more: ConnectionOptions = {}): Driver {
  return {
    type: 'snowflake',
    defaultConcurrency: 8,
    embedded: false,
    check(source) {
      readSettings(source)
    },
    async open(source) {
      return openSource(source, { ...readSettings(source), ...more })
    },
  }
}

function openSource(source: DataSource, settings: ConnectionOptions): OpenSource {
  const connections = createConnections(source, settings)
  const failing: Failing = {
    explained: error => explained(error, source),
    staysSound: ({ code }) => code !== 'source_unavailable',
  }
  return {
    stream: (statement, sink, signal) =>
      withConnection(connections, failing, signal, session => streamStatement(session, statement, sink, signal)),
    async test(signal) {
      await withConnection(connections, failing, signal, async () => {})
    },
    close: () => connections.close(),
  }
}

async function streamStatement(session: Session, statement: Statement, sink: RowSink, signal: AbortSignal) {
  const { sql, parameters, comment } = statement
  if (parameters.length > mostParameters) {
    throw problems.queryFailed(
      `The query has ${parameters.length} values and Snowflake takes ${mostParameters}. Ask with fewer values in filters.`,
    )
  }
  const binds = parameters.map(value => (value === null ? null : String(value)))
  // Snowflake has no sessions that cannot write. In brackets it takes what selects and nothing else, and says so without running it.
  await execute(session, { sqlText: `SELECT * FROM (\n${sql}\n)`, binds, describeOnly: true }, signal)
  signal.throwIfAborted()
  const result = await execute(session, { sqlText: commented(sql, comment), binds }, signal)
  const fields = (result.getColumns() ?? []).map((column): SnowflakeField => {
    return {
      name: column.getName(),
      type: column.getType(),
      precision: column.getPrecision(),
      scale: column.getScale(),
    }
  })
  const writers = fields.map(createCellWriter)
  sink.columns(fields.map(columnOf))
  const portions = createPortions(sink)
  for await (const row of result.streamRows()) {
    signal.throwIfAborted()
    const values: readonly unknown[] = Array.isArray(row) ? row : []
    await portions.add(writers.map((write, column) => write(values[column])))
  }
  await portions.end()
}

interface Asked {
  readonly sqlText: string
  readonly binds: (string | null)[]
  readonly describeOnly?: boolean
}

/** A service that never answers a stopped query is not waited for. */
function execute(session: Session, asked: Asked, signal: AbortSignal): Promise<RowStatement> {
  return new Promise((resolve, reject) => {
    const late = () => setTimeout(() => reject(signal.reason), stopMilliseconds).unref()
    signal.addEventListener('abort', late, { once: true })
    session.running = session.connection.execute({
      ...asked,
      complete(error, result) {
        signal.removeEventListener('abort', late)
        if (error) reject(error)
        else if ('streamRows' in result) resolve(result)
        else reject(problems.statementRefused('it moves files, and queries only read.'))
      },
    })
  })
}
