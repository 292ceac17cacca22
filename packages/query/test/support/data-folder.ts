import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { onTestFinished } from 'vitest'
import { readDataSources } from '../../src/data-sources.ts'
import { openDatabase } from '../../src/drivers/duckdb/database.ts'
import { readDuckDbSettings } from '../../src/drivers/duckdb/settings.ts'
import type { OpenSource, Statement } from '../../src/shapes/driver.ts'
import type { Table } from '../../src/shapes/query.ts'
import type { TableLimits } from '../../src/table-sink.ts'
import { runWhole } from './run-whole.ts'

/**
 * A deployment's data folder among others:
 *
 *     <root>/data/cities.csv, nested/more.csv, secret.csv -> ../outside/secret.csv, way-out -> ../outside
 *     <root>/data-of-another/secret.csv
 *     <root>/outside/secret.csv
 */
export function createDataFolder(): { readonly root: string; readonly data: string } {
  const root = mkdtempSync(join(tmpdir(), 'hedron-query-'))
  const data = join(root, 'data')
  for (const folder of ['data/nested', 'data-of-another', 'outside']) mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(data, 'cities.csv'), 'city,people\nBern,134000\nBasel,178000\n')
  writeFileSync(join(data, 'nested/more.csv'), 'city,people\nZug,31000\n')
  for (const folder of ['data-of-another', 'outside'])
    writeFileSync(join(root, folder, 'secret.csv'), 'secret\nhunter2\n')
  symlinkSync('../outside/secret.csv', join(data, 'secret.csv'))
  symlinkSync('../outside', join(data, 'way-out'))
  symlinkSync('cities.csv', join(data, 'towns.csv'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return { root, data }
}

/** Makes a database file by running statements in it. */
export async function createDatabase(path: string, statements: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  for (const statement of statements) await connection.run(statement)
  connection.closeSync()
  instance.closeSync()
}

export interface OpenFolder extends OpenSource {
  query(sql: string, changes?: Partial<Statement & TableLimits>, signal?: AbortSignal): Promise<Table>
}

/** Opens a data folder as the process of an engine would, in this one, as the many tests of what is refused need no process each. */
export async function openFolder(data: string, variables: Readonly<Record<string, string>> = {}): Promise<OpenFolder> {
  const source = readDataSources(variables, { dataDirectory: data }).get('default')
  const settings = readDuckDbSettings(source)
  const opened = await openDatabase(source, settings, { memoryBytes: settings.memoryBytes ?? 2 ** 30, threads: 2 })
  onTestFinished(() => opened.close())
  return {
    ...opened,
    query: (sql, changes, signal) => runWhole(opened, { sql, ...changes }, signal),
  }
}
