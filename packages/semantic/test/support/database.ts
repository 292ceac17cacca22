import { DuckDBInstance } from '@duckdb/node-api'
import type { Cell, Statement } from '../../src/index.ts'

/** DuckDB in memory, handing over cells as the product's drivers do. */
export interface Database {
  run(sql: string): Promise<void>
  query(statement: Statement): Promise<Cell[][]>
  close(): void
}

export async function openDatabase(...setup: readonly string[]): Promise<Database> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  // A few rows need no help, and the files of tests run beside each other.
  await connection.run('SET threads = 1')
  // Zones must come from the SQL, so the session's own must make no difference.
  await connection.run("SET TimeZone = 'Asia/Tokyo'")
  // Up to 1.5.6 this rule gives wrong numbers where two parts of a query join the same tables: duckdb/duckdb#25819.
  await connection.run("SET disabled_optimizers = 'common_subplan'")
  for (const sql of setup) await connection.run(sql)
  return {
    async run(sql) {
      await connection.run(sql)
    },
    async query({ sql, parameters }) {
      const reader = await connection.runAndReadAll(sql, [...parameters])
      return reader.getRowsJson().map(row => row.map(toCell))
    },
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

function toCell(value: unknown): Cell {
  if (value === null || typeof value === 'boolean') return value
  const text = String(value)
  if (!/^\d{4}-\d{2}-\d{2}( \d{2}:\d{2}:\d{2}(\.\d+)?)?$/.test(text)) return text
  const [date = '', time = '00:00:00'] = text.split(' ')
  const [clock = '', fraction = ''] = time.split('.')
  return `${date}T${clock}.${fraction.slice(0, 3).padEnd(3, '0')}`
}
