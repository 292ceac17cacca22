import { createDrivers, readDataSources } from '@hedron/query'
import { dialectNames } from '@hedron/semantic'
import { expect, test } from 'vitest'
import { dialectOf } from '../../src/queries/dialect-of.ts'

const sourceOf = (type: string) =>
  readDataSources({ CUBEJS_DB_TYPE: type }, { dataDirectory: '/nowhere', drivers: [] }).get('default')

test('each driver has the dialect of its name', () => {
  for (const { type } of createDrivers()) expect(dialectNames).toContain(type)
})

test.for([
  ['mssql', 'sqlserver'],
  ['databricks-jdbc', 'databricks'],
  ['mariadb', 'mysql'],
  ['Redshift', 'redshift'],
] as const)('%s is asked in the SQL of %s', ([type, dialect]) => {
  expect(dialectOf(sourceOf(type))).toBe(dialect)
})

test('a type that nobody knows is an error that says which are known, and not PostgreSQL', () => {
  expect(() => dialectOf(sourceOf('prestodb'))).toThrow(
    'Data source "default" is of type "prestodb", which this server cannot query yet. Supported: duckdb, postgres,',
  )
})
