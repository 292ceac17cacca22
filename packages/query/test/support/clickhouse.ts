import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { readDataSources } from '../../src/data-sources.ts'
import { createClickHouseDriver } from '../../src/drivers/clickhouse/clickhouse.ts'
import type { DataSource } from '../../src/shapes/data-source.ts'
import type { OpenSource, Statement } from '../../src/shapes/driver.ts'
import type { Table } from '../../src/shapes/query.ts'
import type { TableLimits } from '../../src/table-sink.ts'
import { runWhole } from './run-whole.ts'

/** A Python with chdb, which `npm test` makes where it is asked for. */
const python = process.env.HEDRON_TEST_PYTHON ?? 'python3'

export const hasClickHouse = spawnSync(python, ['-c', 'import chdb'], { timeout: 60_000 }).status === 0

export interface TestClickHouse {
  readonly source: (changes?: Readonly<Record<string, string>>) => DataSource
  open(changes?: Readonly<Record<string, string>>): Promise<OpenClickHouse>
  close(): Promise<void>
}

export interface OpenClickHouse extends OpenSource {
  query(sql: string, changes?: Partial<Statement & TableLimits>, signal?: AbortSignal): Promise<Table>
}

/** ClickHouse's engine behind its HTTP interface; each query sees tables made anew by `setup`. */
export async function startClickHouse(setup: readonly string[]): Promise<TestClickHouse> {
  const script = join(import.meta.dirname, 'clickhouse.py')
  const child = spawn(python, [script, JSON.stringify(setup), 'secret'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = await once(createInterface(child.stdout), 'line')
  const source = (changes: Readonly<Record<string, string>> = {}) => {
    const variables = {
      CUBEJS_DB_TYPE: 'clickhouse',
      CUBEJS_DB_HOST: '127.0.0.1',
      CUBEJS_DB_PORT: String(port),
      CUBEJS_DB_USER: 'reader',
      CUBEJS_DB_PASS: 'secret',
    }
    return readDataSources({ ...variables, ...changes }, { dataDirectory: '/nowhere' }).get('default')
  }
  return {
    source,
    async open(changes) {
      const opened = await createClickHouseDriver().open(source(changes))
      onTestFinished(() => opened.close())
      return { ...opened, query: (sql, statement, signal) => runWhole(opened, { sql, ...statement }, signal) }
    },
    async close() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}
