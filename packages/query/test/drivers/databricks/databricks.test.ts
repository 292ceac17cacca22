import { expect, onTestFinished, test } from 'vitest'
import { createQueryService } from '../../../src/query-service.ts'
import { startDatabricks } from '../../support/databricks.ts'
import { streamMillion } from '../../support/large-stream.ts'
import { requestOf } from '../../support/service.ts'

/** On a server that speaks the documented Statement Execution API and has no engine: see docs/data-sources.md. */
const columns = [['n', 'LONG', 'BIGINT']] as const
const one = { columns, pieces: [() => '[["1"]]'] }

test('a statement is described in brackets, then runs, and its rows come from storage in pieces', async () => {
  const databricks = await startDatabricks(() => ({
    columns,
    pieces: [() => '[["1"]]', () => '[["2"],["3"]]'],
    rows: 3,
  }))
  const { query } = await databricks.open()
  expect(await query('SELECT n FROM t', { comment: 'request-1' })).toEqual({
    columns: [{ name: 'n', type: 'integer', databaseType: 'BIGINT' }],
    rows: [['1'], ['2'], ['3']],
  })
  const place = { warehouse_id: 'abc123', catalog: 'lake', schema: 'sales', wait_timeout: '0s', format: 'JSON_ARRAY' }
  expect(databricks.asked).toMatchObject([
    { ...place, statement: 'SELECT current_timezone()', disposition: 'INLINE' },
    { ...place, statement: 'SELECT * FROM (\nSELECT n FROM t\n) LIMIT 0', disposition: 'INLINE' },
    { ...place, statement: 'SELECT n FROM t\n/* request-1 */', disposition: 'EXTERNAL_LINKS' },
  ])
})

test('storage is asked with its own headers and never with the token', async () => {
  const databricks = await startDatabricks(() => one)
  await (await databricks.open()).query('SELECT 1')
  const [stored] = databricks.requests.filter(({ line }) => line.startsWith('GET /storage/'))
  expect(stored?.headers).toMatchObject({ 'x-key': 'of-storage' })
  expect(stored?.headers).not.toHaveProperty('authorization')
})

test('a text is described once, whatever its values, and values travel beside it', async () => {
  const databricks = await startDatabricks(() => one)
  const { query } = await databricks.open()
  const sql = 'SELECT :p1, :p2, :p3, :p4'
  await query(sql, { parameters: ["x' OR 1=1 --", 7, null, true] })
  await query(sql, { parameters: ['y', 8, null, false] })
  const texts = databricks.asked.map(({ statement }) => statement)
  expect(texts).toEqual(['SELECT current_timezone()', `SELECT * FROM (\n${sql}\n) LIMIT 0`, sql, sql])
  expect(databricks.asked[2]?.parameters).toEqual([
    { name: 'p1', value: "x' OR 1=1 --" },
    { name: 'p2', value: '7' },
    { name: 'p3' },
    { name: 'p4', value: 'true' },
  ])
})

test.for([
  ['LONG', 'BIGINT', '9223372036854775807', 'integer', '9223372036854775807'],
  ['INT', 'INT', '-1', 'integer', '-1'],
  [
    'DECIMAL',
    'DECIMAL(38,10)',
    '1234567890123456789012345678.1234567890',
    'decimal',
    '1234567890123456789012345678.1234567890',
  ],
  ['DOUBLE', 'DOUBLE', '1.0E21', 'double', '1e+21'],
  ['DOUBLE', 'DOUBLE', 'NaN', 'double', null],
  ['DOUBLE', 'DOUBLE', 'Infinity', 'double', null],
  ['FLOAT', 'FLOAT', '0.1', 'double', '0.1'],
  ['BOOLEAN', 'BOOLEAN', 'true', 'boolean', true],
  ['BOOLEAN', 'BOOLEAN', 'false', 'boolean', false],
  ['STRING', 'STRING', 'ä\n', 'string', 'ä\n'],
  ['STRING', 'STRING', 'null', 'string', 'null'],
  ['DATE', 'DATE', '2024-02-29', 'date', '2024-02-29T00:00:00.000'],
  ['TIMESTAMP', 'TIMESTAMP', '2024-02-29T10:00:00.123456Z', 'timestamp', '2024-02-29T10:00:00.123'],
  ['TIMESTAMP', 'TIMESTAMP', '2024-02-29T10:00:00.000+02:00', 'timestamp', '2024-02-29T08:00:00.000'],
  ['TIMESTAMP', 'TIMESTAMP', '2024-02-29 10:00:00', 'timestamp', '2024-02-29T10:00:00.000'],
  ['STRING', 'TIMESTAMP_NTZ', '2024-02-29T10:00:00.5', 'timestamp', '2024-02-29T10:00:00.500'],
  ['ARRAY', 'ARRAY<BIGINT>', '[9223372036854775807,null]', 'json', '[9223372036854775807,null]'],
  ['STRUCT', 'STRUCT<a: BIGINT>', '{"a":9007199254740993}', 'json', '{"a":9007199254740993}'],
  ['BINARY', 'BINARY', 'AP8=', 'binary', 'AP8='],
  ['INTERVAL', 'INTERVAL DAY', '3 00:00:00', 'interval', '3 00:00:00'],
  ['LONG', 'BIGINT', null, 'integer', null],
] as const)('%s %s %s', async ([type, databaseType, sent, columnType, cell]) => {
  const databricks = await startDatabricks(() => ({
    columns: [['v', type, databaseType]],
    pieces: [() => JSON.stringify([[sent]])],
  }))
  const table = await (await databricks.open()).query('SELECT v FROM t')
  expect(table).toEqual({ columns: [{ name: 'v', type: columnType, databaseType }], rows: [[cell]] })
})

test('columns are known without rows', async () => {
  const databricks = await startDatabricks(() => ({ columns }))
  expect(await (await databricks.open()).query('SELECT n')).toMatchObject({ columns: [{ name: 'n' }], rows: [] })
})

test('what the description refuses does not run', async () => {
  const error = {
    error_code: 'BAD_REQUEST',
    message: "[PARSE_SYNTAX_ERROR] Syntax error at or near 'DELETE'.\n\n== SQL ==\nSELECT * FROM (\nDELETE FROM t",
  }
  const databricks = await startDatabricks(sql => (sql.startsWith('SELECT * FROM (') ? { error } : one))
  await expect((await databricks.open()).query('DELETE FROM t')).rejects.toMatchObject({
    code: 'query_failed',
    message: "[PARSE_SYNTAX_ERROR] Syntax error at or near 'DELETE'.",
  })
  expect(databricks.asked.map(({ statement }) => statement)).not.toContain('DELETE FROM t')
})

test('errors are told apart: the statement, the warehouse, an administrator, the sign-in, a server that is gone', async () => {
  const failing = (error_code: string) => ({ error: { error_code, message: `it says ${error_code}` } })
  const databricks = await startDatabricks(sql => {
    if (sql === 'SELECT wrong') return failing('BAD_REQUEST')
    return sql === 'SELECT down' ? failing('TEMPORARILY_UNAVAILABLE') : { state: 'CANCELED' }
  })
  const { query } = await databricks.open()
  await expect(query('SELECT wrong')).rejects.toMatchObject({ code: 'query_failed', message: 'it says BAD_REQUEST' })
  await expect(query('SELECT down')).rejects.toMatchObject({ code: 'source_unavailable' })
  await expect(query('SELECT')).rejects.toMatchObject({
    code: 'query_failed',
    message: expect.stringContaining('was cancelled in Databricks'),
  })
  expect(databricks.stopped).toEqual([])
  const signal = new AbortController().signal
  const stranger = await databricks.open({ CUBEJS_DB_DATABRICKS_TOKEN: 'another' })
  await expect(stranger.test(signal)).rejects.toMatchObject({ code: 'source_unavailable' })
  const url = 'jdbc:databricks://localhost:1;httpPath=/sql/1.0/warehouses/abc123'
  const failure = (await databricks.open({ CUBEJS_DB_DATABRICKS_URL: url })).test(signal)
  await expect(failure).rejects.toMatchObject({ code: 'source_unavailable' })
  await expect(failure).rejects.not.toThrow(/localhost|127\.0\.0\.1/)
  await expect((await databricks.open({ CUBEJS_DB_SSL_CA: '' })).test(signal)).rejects.toMatchObject({
    code: 'source_unavailable',
  })
})

test('a result that is cut, or of which rows are missing, is an error and never fewer rows', async () => {
  const databricks = await startDatabricks(sql => ({
    ...one,
    ...(sql === 'SELECT cut' ? { truncated: true } : { rows: 2 }),
  }))
  const { query } = await databricks.open()
  await expect(query('SELECT cut')).rejects.toMatchObject({ code: 'query_failed' })
  await expect(query('SELECT')).rejects.toMatchObject({
    code: 'source_unavailable',
    message: expect.stringContaining('1 of 2 rows came'),
  })
})

test('a warehouse of another zone is an error that says what to set', async () => {
  const databricks = await startDatabricks(() => one)
  databricks.zone = 'Europe/Berlin'
  await expect((await databricks.open()).query('SELECT 1')).rejects.toMatchObject({
    code: 'source_misconfigured',
    message: expect.stringContaining('Europe/Berlin'),
  })
  expect(databricks.asked).toHaveLength(1)
})

test('a workspace that is busy is asked again', async () => {
  const databricks = await startDatabricks(() => one)
  const { query } = await databricks.open()
  databricks.busy = 2
  expect((await query('SELECT 1')).rows).toEqual([['1']])
})

test('a service principal gets one token for many statements', async () => {
  const databricks = await startDatabricks(() => one)
  const { query } = await databricks.open({
    CUBEJS_DB_DATABRICKS_TOKEN: '',
    CUBEJS_DB_DATABRICKS_OAUTH_CLIENT_ID: 'principal',
    CUBEJS_DB_DATABRICKS_OAUTH_CLIENT_SECRET: 'its secret',
  })
  await query('SELECT 1')
  await query('SELECT 2')
  expect(databricks.requests.filter(({ line }) => line === 'POST /oidc/v1/token')).toHaveLength(1)
})

test('an abort stops the statement in the warehouse', async () => {
  const databricks = await startDatabricks(() => ({ state: 'RUNNING' }))
  const { query } = await databricks.open()
  const controller = new AbortController()
  const running = query('SELECT 1', {}, controller.signal)
  setTimeout(() => controller.abort(new Error('nobody waits any more')), 200)
  await expect(running).rejects.toThrow('nobody waits any more')
  expect(databricks.stopped).toEqual(['s3'])
})

test('an abort before the statement has a name waits for the name, and stops it then', async () => {
  const databricks = await startDatabricks(() => ({ state: 'RUNNING' }))
  const opened = await databricks.open()
  await opened.test(new AbortController().signal)
  databricks.slow = 500
  const controller = new AbortController()
  const running = opened.query('SELECT 1', {}, controller.signal)
  setTimeout(() => controller.abort(new Error('nobody waits any more')), 100)
  await expect(running).rejects.toThrow('nobody waits any more')
  expect(databricks.stopped).toEqual([`s${databricks.asked.length}`])
})

test.for([
  ['https://example.com', /is not of the form/],
  ['jdbc:databricks://h:443;httpPath=sql/protocolv1/o/1/2', /is that of a cluster/],
  ['jdbc:databricks://h:443/default', /does not name a SQL warehouse/],
  ['jdbc:databricks://h;ssl=0;httpPath=/sql/1.0/warehouses/a', /encrypted connections only/],
  ['jdbc:databricks://h;UseProxy=1;httpPath=/sql/1.0/warehouses/a', /"UseProxy" is not understood/],
  ['jdbc:databricks://h;httpPath=/sql/1.0/warehouses/a;AuthMech=11;Auth_Flow=2', /needs a browser/],
  ['jdbc:databricks://h;httpPath=/sql/1.0/warehouses/a;UID=me;PWD=secret', /takes tokens/],
] as const)('%s is refused', async ([url, message]) => {
  const databricks = await startDatabricks(() => one)
  const refused = () => databricks.source({ CUBEJS_DB_DATABRICKS_URL: url })
  expect(refused).toThrow(/^CUBEJS_DB_DATABRICKS_URL cannot be used/)
  expect(refused).toThrow(message)
})

test('a token is asked for, and may stand in the URL', async () => {
  const databricks = await startDatabricks(() => one)
  const without = { CUBEJS_DB_DATABRICKS_TOKEN: '' }
  expect(() => databricks.source(without)).toThrow('CUBEJS_DB_DATABRICKS_TOKEN cannot be used')
  const half = { ...without, CUBEJS_DB_DATABRICKS_OAUTH_CLIENT_ID: 'principal' }
  expect(() => databricks.source(half)).toThrow('CUBEJS_DB_DATABRICKS_OAUTH_CLIENT_SECRET cannot be used')
  const url = `jdbc:databricks://127.0.0.1:${databricks.port};httpPath=/sql/1.0/endpoints/abc;PWD=dapi-secret`
  const { query } = await databricks.open({ ...without, CUBEJS_DB_DATABRICKS_URL: url })
  expect((await query('SELECT 1')).rows).toEqual([['1']])
})

test('a million rows are streamed in a memory that stays flat', async () => {
  const size = 10_000
  const piece = (number: number) => () =>
    `[${Array.from({ length: size }, (_, index) => number * size + index + 1)
      .map(n => `["${n}","a text that is a little longer ${n}"]`)
      .join(',')}]`
  const databricks = await startDatabricks(() => ({
    columns: [...columns, ['text', 'STRING', 'STRING']],
    pieces: Array.from({ length: 100 }, (_, number) => piece(number)),
    rows: 1_000_000,
  }))
  expect(await streamMillion(databricks.source(), 'SELECT')).toBeLessThan(40 * 2 ** 20)
})

test('a reader who reads no further gives the place back', async () => {
  const databricks = await startDatabricks(() => ({
    columns,
    pieces: Array.from({ length: 100 }, () => () => '[["1"]]'),
  }))
  const service = createQueryService({ now: Date.now, limits: { stallMs: 100 } })
  onTestFinished(() => service.close())
  const source = databricks.source()
  await service.stream(requestOf({ source, sql: 'SELECT', maximumRows: 1e6 }))
  await expect.poll(() => service.statistics().running).toBe(0)
})
