import { describe, expect, test } from 'vitest'
import { faultOf, readVariable } from '../../src/deployments/variable-values.ts'
import { createFaultOfSources } from '../../src/queries/source-faults.ts'

describe('a value that is read', () => {
  test.each([
    ['CUBEJS_DB_QUERY_LIMIT', ' 400 ', 400],
    ['CUBEJS_ROLLUP_ONLY', 'TRUE', true],
    ['CUBEJS_ROLLUP_ONLY', 'yes', true],
    ['CUBEJS_WEB_SOCKETS', '0', false],
    ['CUBEJS_ACCESS_POLICY_MASK_NUMBER', '-1.5', -1.5],
    ['CUBEJS_ACCESS_POLICY_MASK_STRING', '***', '***'],
    ['CUBEJS_DEFAULT_TIMEZONE', 'Asia/Tokyo', 'Asia/Tokyo'],
    ['CUBEJS_SCHEDULED_REFRESH_TIMEZONES', 'UTC, Europe/Berlin,', ['UTC', 'Europe/Berlin']],
    ['CUBEJS_JWT_ALGS', 'RS256,ES256', ['RS256', 'ES256']],
    ['CUBEJS_DEFAULT_API_SCOPES', 'meta,jobs', ['meta', 'jobs']],
  ] as const)('%s=%s', (name, text, value) => {
    expect(readVariable({ [name]: text }, name)).toEqual(value)
    expect(faultOf(name, text)).toBeUndefined()
  })

  test.each(['', '  '])('is absent where it is blank: %j', text => {
    expect(readVariable({ CUBEJS_DB_QUERY_LIMIT: text }, 'CUBEJS_DB_QUERY_LIMIT')).toBeUndefined()
    expect(faultOf('CUBEJS_DB_QUERY_LIMIT', text)).toBeUndefined()
  })
})

test.each([
  ['CUBEJS_DB_QUERY_LIMIT', 'abc'],
  ['CUBEJS_DB_QUERY_LIMIT', '0'],
  ['CUBEJS_DB_QUERY_LIMIT', '1e3'],
  ['CUBEJS_DB_QUERY_DEFAULT_LIMIT', '-1'],
  ['CUBEJS_MAX_SESSIONS', '1.5'],
  ['CUBESQL_AUTH_EXPIRE_SECS', '5m'],
  ['CUBEJS_ROLLUP_ONLY', 'perhaps'],
  ['CUBEJS_PRE_AGGREGATIONS_BUILDER', '2'],
  ['CUBEJS_WEB_SOCKETS', 'disabled'],
  ['CUBEJS_ACCESS_POLICY_MASK_NUMBER', 'none'],
  ['CUBEJS_ACCESS_POLICY_MASK_NUMBER', 'Infinity'],
  ['CUBEJS_ACCESS_POLICY_MASK_BOOLEAN', 'nope'],
  ['CUBEJS_DEFAULT_TIMEZONE', 'Mars/Olympus'],
  ['CUBEJS_SCHEDULED_REFRESH_TIMEZONES', 'UTC,+02:00'],
  ['CUBEJS_JWT_ALGS', 'RS256,none'],
  ['CUBEJS_DEFAULT_API_SCOPES', 'meta,everything'],
] as const)('%s=%s is refused where it is set, and named where it is used', (name, text) => {
  const reason = faultOf(name, text)
  expect(reason).toMatch(/\bnot\b|neither/)
  expect(() => readVariable({ [name]: text }, name)).toThrow(`Error: ${name} cannot be used: ${reason}`)
})

test('what nobody reads can be anything', () => {
  expect(faultOf('MY_OWN', 'abc')).toBeUndefined()
  expect(faultOf('toString', 'abc')).toBeUndefined()
})

test.each([
  ['CUBEJS_CONCURRENCY', 'many'],
  ['CUBEJS_DB_QUERY_TIMEOUT', 'soon'],
  ['CUBEJS_DB_DUCKDB_MEMORY_LIMIT', 'lots'],
  ['CUBEJS_DB_DUCKDB_DATABASE_PATH', '../other.duckdb'],
])('of a data source is found without asking it: %s=%s', (name, text) => {
  expect(createFaultOfSources(() => '/data')(1, { [name]: text })).toMatchObject({ name })
})

test.each([
  ['CUBEJS_DB_SSL', 'perhaps'],
  ['CUBEJS_DB_SSL_REJECT_UNAUTHORIZED', 'nah'],
  ['CUBEJS_DB_PORT', '5432x'],
])('of a server is found without asking it: %s=%s', (name, text) => {
  const server = { CUBEJS_DB_TYPE: 'postgres', CUBEJS_DB_HOST: 'h', CUBEJS_DB_NAME: 'n', CUBEJS_DB_USER: 'u' }
  expect(createFaultOfSources(() => '/data')(1, { ...server, [name]: text })).toMatchObject({ name })
  expect(createFaultOfSources(() => '/data')(1, { ...server, [name]: '' })).toBeUndefined()
})
