import type { Connection } from 'tedious'
import { problems } from '../../query-service-error.ts'
import type { DataSource } from '../../shapes/data-source.ts'
import type { Driver, OpenSource, RowSink, Statement } from '../../shapes/driver.ts'
import type { Cell } from '../../shapes/query.ts'
import { commented } from '../commented.ts'
import { type Failing, withConnection } from '../network/with-connection.ts'
import { createPortions } from '../portions.ts'
import { admitStatement } from './admit-statement.ts'
import { columnOf, createCellWriter } from './cells.ts'
import { createConnections, readSettings } from './connections.ts'
import { explained } from './errors.ts'

/** What a call can number, less the statement and the list of its parameters. */
const mostParameters = 2_098

/** A Microsoft SQL Server, or Azure SQL. */
export function createSqlServerDriver(): Driver {
  return {
    type: 'sqlserver',
    defaultConcurrency: 4,
    embedded: false,
    check(source) {
      readSettings(source)
    },
    async open(source) {
      return openSource(source)
    },
  }
}

function openSource(source: DataSource): OpenSource {
  const connections = createConnections(source)
  const failing: Failing = {
    explained: error => explained(error, source),
    // After any other error rows may be left that nobody has read.
    staysSound: ({ code }) => code === 'query_failed',
  }
  return {
    async stream(statement, sink, signal) {
      admitStatement(statement.sql)
      await withConnection(connections, failing, signal, connection => streamStatement(connection, statement, sink))
    },
    async test(signal) {
      await withConnection(connections, failing, signal, async () => {})
    },
    close: () => connections.close(),
  }
}

async function streamStatement(connection: Connection, statement: Statement, sink: RowSink): Promise<void> {
  const { parameters } = statement
  if (parameters.length > mostParameters) {
    throw problems.queryFailed(
      `The query has ${parameters.length} values and SQL Server takes ${mostParameters}. Ask with fewer values in filters.`,
    )
  }
  const { Request, TYPES } = await import('tedious')
  const portions = createPortions(sink)
  let writers: readonly ((value: unknown) => Cell)[] | undefined
  /** The first thing that went wrong on our side; the rest of the rows is then thrown away. */
  let failure: { readonly error: unknown } | undefined
  await new Promise<void>((resolve, reject) => {
    const request = new Request(commented(statement.sql, statement.comment), error => {
      if (failure) reject(failure.error)
      else if (error) reject(error)
      else resolve()
    })
    const fail = (error: unknown) => {
      failure ??= { error }
      connection.cancel()
    }
    for (const [index, value] of parameters.entries()) {
      request.addParameter(`p${index + 1}`, TYPES.NVarChar, value === null ? null : String(value))
    }
    request.on('columnMetadata', metadata => {
      if (writers) return fail(problems.statementRefused('it gives several results, and a query gives one.'))
      const fields = Array.isArray(metadata) ? metadata : Object.values(metadata)
      writers = fields.map(createCellWriter)
      sink.columns(fields.map(columnOf))
    })
    request.on('row', (row: readonly { readonly value: unknown }[]) => {
      if (failure) return
      try {
        const room = portions.add((writers ?? []).map((write, column) => write(row[column]?.value)))
        if (!room) return
        request.pause()
        room.then(
          () => request.resume(),
          error => {
            fail(error)
            request.resume()
          },
        )
      } catch (error) {
        fail(error)
      }
    })
    connection.execSql(request)
  })
  if (!writers) throw problems.statementRefused('it gives no rows, and queries only read.')
  await portions.end()
}
