import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'

type Cell = string | number | boolean | null

/** The demo's files as the npm package has them, asked with plain SQL as `flights` and `airports`. */
export interface FlightsFile {
  rows(sql: string): Promise<readonly (readonly Cell[])[]>
  close(): void
}

const data = join(dirname(dirname(createRequire(import.meta.url).resolve('vega-datasets'))), 'data')

export async function openFlightsFile(): Promise<FlightsFile> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection: DuckDBConnection = await instance.connect()
  await connection.run(`CREATE VIEW flights AS FROM read_parquet('${join(data, 'flights-3m.parquet')}')`)
  await connection.run(`CREATE VIEW airports AS FROM read_csv('${join(data, 'airports.csv')}')`)
  return {
    async rows(sql) {
      const reader = await connection.runAndReadAll(sql)
      return reader.getRowsJson().map(row => row.map(cell => (cell === null ? null : readCell(cell))))
    },
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

function readCell(cell: unknown): Cell {
  if (typeof cell === 'number' || typeof cell === 'boolean') return cell
  const text = String(cell)
  const [, date, time] = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}:\d{2}))?$/.exec(text) ?? []
  return date === undefined ? text : `${date}T${time ?? '00:00:00'}.000`
}
