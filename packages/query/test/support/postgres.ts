import { createTestDatabase } from '@hedron/store/testing'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { readDataSources } from '../../src/data-sources.ts'
import { createPostgresDriver } from '../../src/drivers/postgres/postgres.ts'
import type { DataSource } from '../../src/shapes/data-source.ts'
import type { OpenSource, Statement } from '../../src/shapes/driver.ts'
import type { Table } from '../../src/shapes/query.ts'
import type { TableLimits } from '../../src/table-sink.ts'
import { runWhole } from './run-whole.ts'

export interface TestPostgres {
  readonly url: string
  /** The variables by which a deployment would name this database. */
  readonly variables: Readonly<Record<string, string>>
  /** Runs statements past the driver. */
  administer(sql: string): Promise<readonly Record<string, unknown>[]>
  /** Opens it with the real driver, as the service would. */
  open(changes?: Readonly<Record<string, string>>): Promise<OpenPostgres>
}

export interface OpenPostgres extends OpenSource {
  query(sql: string, changes?: Partial<Statement & TableLimits>, signal?: AbortSignal): Promise<Table>
}

export const sourceOf = (variables: Readonly<Record<string, string>>): DataSource =>
  readDataSources(variables, { dataDirectory: '/nowhere' }).get('default')

/** The variables that name the database of an address. */
export function variablesOf(url: string): Readonly<Record<string, string>> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  return {
    CUBEJS_DB_TYPE: 'postgres',
    CUBEJS_DB_HOST: searchParams.get('host') ?? hostname,
    CUBEJS_DB_PORT: searchParams.get('port') ?? (port || '5432'),
    CUBEJS_DB_NAME: pathname.slice(1),
    CUBEJS_DB_USER: decodeURIComponent(username),
    CUBEJS_DB_PASS: decodeURIComponent(password),
  }
}

/** A database of its own for one file of tests; `close` drops it. */
export async function createPostgres(): Promise<TestPostgres & { close(): Promise<void> }> {
  const database = await createTestDatabase()
  const variables = variablesOf(database.url)
  return {
    url: database.url,
    variables,
    async administer(sql) {
      const client = new pg.Client(database.url)
      await client.connect()
      try {
        const { rows } = await client.query(sql)
        return rows
      } finally {
        await client.end()
      }
    },
    async open(changes = {}) {
      const opened = await createPostgresDriver().open(sourceOf({ ...variables, ...changes }))
      onTestFinished(() => opened.close())
      return {
        ...opened,
        query: (sql, statement, signal = new AbortController().signal) =>
          runWhole(opened, { sql, ...statement }, signal),
      }
    },
    close: () => database.close(),
  }
}
