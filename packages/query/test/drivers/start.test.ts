import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('clients of databases are not read before one is opened', () => {
  const script = `
    import { createRequire } from 'node:module'
    const { createDrivers } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/index.ts'))})
    const types = createDrivers().map(({ type }) => type)
    const read = Object.keys(createRequire(import.meta.url).cache)
    const clients = ['@clickhouse/client', '@google-cloud/bigquery', 'tedious', 'snowflake-sdk']
    console.log(JSON.stringify({ types, read: clients.filter(client => read.some(path => path.includes('node_modules/' + client + '/'))) }))
  `
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual({
    types: [
      'duckdb',
      'postgres',
      'mysql',
      'clickhouse',
      'trino',
      'bigquery',
      'redshift',
      'sqlserver',
      'snowflake',
      'databricks',
    ],
    read: [],
  })
})
