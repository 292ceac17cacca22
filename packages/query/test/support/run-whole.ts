import type { OpenSource, Statement } from '../../src/shapes/driver.ts'
import type { Table } from '../../src/shapes/query.ts'
import { createTableSink, type TableLimits } from '../../src/table-sink.ts'

/** Reads a whole result from a driver, as the service does. */
export async function runWhole(
  opened: OpenSource,
  { sql, parameters = [], comment, maximumRows = 10_000, maximumBytes = 2 ** 26 }: Partial<Statement & TableLimits>,
  signal: AbortSignal = new AbortController().signal,
): Promise<Table> {
  const sink = createTableSink({ maximumRows, maximumBytes })
  const statement = { sql: sql ?? '', parameters, ...(comment === undefined ? {} : { comment }) }
  await opened.stream(statement, sink, signal)
  return sink.table()
}
