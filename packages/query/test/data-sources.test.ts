import { expect, test } from 'vitest'
import { readDataSources } from '../src/data-sources.ts'

const read = (variables: Record<string, string>) => readDataSources(variables, { dataDirectory: '/data/of/deployment' })

test('without variables there is one DuckDB over the data folder', () => {
  const sources = read({})
  expect(sources.names).toEqual(['default'])
  expect(sources.get('default')).toEqual({
    name: 'default',
    type: 'duckdb',
    concurrency: 4,
    timeoutMs: 600_000,
    dataDirectory: '/data/of/deployment',
    variablePrefix: 'CUBEJS_',
    settings: {},
    fingerprint: expect.stringMatching(/^[\w-]{43}$/),
  })
})

test('several data sources, each with its own variables', () => {
  const sources = read({
    CUBEJS_DATASOURCES: 'default, Sales ,web',
    CUBEJS_DB_DUCKDB_DATABASE_PATH: 'main.duckdb',
    CUBEJS_CONCURRENCY: '2',
    CUBEJS_DS_SALES_DB_TYPE: 'vertica',
    CUBEJS_DS_SALES_DB_HOST: 'db.example',
    CUBEJS_DS_SALES_DB_PASS: 'secret',
    CUBEJS_DS_SALES_CONCURRENCY: '9',
    CUBEJS_DS_SALES_DB_QUERY_TIMEOUT: '2m',
    CUBEJS_DS_WEB_DB_DUCKDB_MEMORY_LIMIT: '512MB',
    CUBEJS_API_SECRET: 'not for a data source',
    OTHER: 'x',
  })
  expect(sources.names).toEqual(['default', 'Sales', 'web'])
  expect(sources.get('default')).toMatchObject({ type: 'duckdb', concurrency: 2 })
  expect(sources.get('default').settings).toEqual({ CONCURRENCY: '2', DB_DUCKDB_DATABASE_PATH: 'main.duckdb' })
  expect(sources.get('Sales')).toMatchObject({ type: 'vertica', concurrency: 9, timeoutMs: 120_000 })
  expect(sources.get('Sales').settings).toMatchObject({ DB_HOST: 'db.example', DB_PASS: 'secret' })
  expect(sources.get('web')).toMatchObject({
    type: 'duckdb',
    concurrency: 2,
    settings: { DB_DUCKDB_MEMORY_LIMIT: '512MB' },
  })
})

test('a name that is not configured is an error that lists the names there are', () => {
  const { get } = read({ CUBEJS_DATASOURCES: 'default,web' })
  expect(() => get('sales')).toThrow(
    expect.objectContaining({
      code: 'source_unknown',
      message:
        'There is no data source "sales". Configured: default, web. Add it to CUBEJS_DATASOURCES or correct the model.',
    }),
  )
})

test('the fingerprint changes with every variable that counts and with nothing else', () => {
  const fingerprint = (variables: Record<string, string>, dataDirectory = '/data') =>
    readDataSources(variables, { dataDirectory }).get('default').fingerprint
  const base = { CUBEJS_DB_TYPE: 'vertica', CUBEJS_DB_HOST: 'a', CUBEJS_DB_PASS: 'x' }
  const all = [
    fingerprint(base),
    fingerprint({ ...base, CUBEJS_DB_HOST: 'b' }),
    fingerprint({ ...base, CUBEJS_DB_PASS: 'y' }),
    fingerprint({ ...base, CUBEJS_DB_TYPE: 'oracle' }),
    fingerprint({ ...base, CUBEJS_CONCURRENCY: '2' }),
    fingerprint(base, '/other'),
  ]
  expect(new Set(all).size).toBe(all.length)
  const same = { ...base, CUBEJS_DB_QUERY_LIMIT: '5', CUBEJS_DB_QUERY_DEFAULT_LIMIT: '5' }
  expect(fingerprint(same)).toBe(fingerprint(base))
  const reordered = { CUBEJS_DB_PASS: 'x', CUBEJS_API_SECRET: 'z', CUBEJS_DB_HOST: 'a', CUBEJS_DB_TYPE: 'vertica' }
  expect(fingerprint(reordered)).toBe(fingerprint(base))
})

test('a type without a driver is read all the same, so that the rest of a deployment works', () => {
  expect(read({ CUBEJS_DB_TYPE: 'vertica' }).get('default').type).toBe('vertica')
})

test.for([
  ['CUBEJS_DATASOURCES', 'sales', '"sales" has no "default". Add it to the list.'],
  ['CUBEJS_DATASOURCES', 'default,a b', '"a b" is not a name of letters, digits and underscores.'],
  ['CUBEJS_CONCURRENCY', '0', '"0" is not a whole number from 1 to 9999.'],
  ['CUBEJS_CONCURRENCY', '-1', '"-1" is not a whole number from 1 to 9999.'],
  ['CUBEJS_CONCURRENCY', 'many', '"many" is not a whole number from 1 to 9999.'],
  ['CUBEJS_DB_QUERY_TIMEOUT', '10 minutes', '"10 minutes" is not a duration such as "600", "90s" or "10m".'],
  ['CUBEJS_DB_QUERY_TIMEOUT', '0', '"0" is not a duration such as "600", "90s" or "10m".'],
  ['CUBEJS_DB_DUCKDB_MEMORY_LIMIT', '80%', '"80%" is not a size such as "512MB" or "2GiB".'],
  ['CUBEJS_DB_DUCKDB_MEMORY_LIMIT', '1KB', '"1KB" is not a size such as "512MB" or "2GiB".'],
] as const)('%s=%s is refused with its name', ([variable, value, reason]) => {
  expect(() => read({ [variable]: value })).toThrow(
    expect.objectContaining({
      code: 'source_misconfigured',
      message: `${variable} cannot be used: ${reason}`,
    }),
  )
})

test.for([
  '../other/sales.duckdb',
  '/etc/passwd',
  '/data/of/deployment',
  '/data/of/deployment-2/sales.duckdb',
  'nested/../../x.duckdb',
  '.',
  'md:sales',
  's3://bucket/sales.duckdb',
  'a\0b',
])('a database path that leaves the data folder is refused: %j', path => {
  expect(() => read({ CUBEJS_DB_DUCKDB_DATABASE_PATH: path })).toThrow(
    expect.objectContaining({
      code: 'source_misconfigured',
      message: `CUBEJS_DB_DUCKDB_DATABASE_PATH cannot be used: "${path}" is not a file in the deployment's data folder. Name one there, such as "sales.duckdb".`,
    }),
  )
})

test.for(['sales.duckdb', 'nested/sales.duckdb', './sales.duckdb', '/data/of/deployment/sales.duckdb', ':memory:', ''])(
  'a database path within the data folder is taken: %j',
  path => {
    expect(() => read({ CUBEJS_DB_DUCKDB_DATABASE_PATH: path })).not.toThrow()
  },
)

test.for([
  ['mssql', 'sqlserver'],
  ['databricks-jdbc', 'databricks'],
  ['PostgreSQL', 'postgres'],
  ['mariadb', 'mysql'],
  ['vertica', 'vertica'],
] as const)('a type written %s is run by the driver %s', ([written, type]) => {
  const variables = {
    CUBEJS_DB_HOST: 'db.example',
    CUBEJS_DB_NAME: 'sales',
    CUBEJS_DB_USER: 'reader',
    CUBEJS_DB_PASS: 'secret',
    CUBEJS_DB_DATABRICKS_URL: 'jdbc:databricks://db.example:443/default;httpPath=/sql/1.0/warehouses/1',
    CUBEJS_DB_DATABRICKS_TOKEN: 'secret',
  }
  expect(read({ ...variables, CUBEJS_DB_TYPE: written }).get('default').type).toBe(type)
})
